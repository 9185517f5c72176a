import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { fullTitleOf, loadGame } from '../src/games'
import { LANGUAGES, messageNamed, speak } from '../src/language.svelte'
import { optionLabel, optionWords, valueText } from '../src/optionwords'
import { applies, optionsOf } from '../src/options'
import { EDITION_PROBLEMS, OPTIONS, REFUSALS } from '../src/protocol'

/** A language may have all its texts in one file, and none in the folders of the games. */
const texts = (file: string) => (existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object) : [])

/** What a table of this game can say; the server speaks at all of them. */
const sayable = (game: string, language: string) =>
  new Set([
    ...texts(`messages/${language}.json`),
    ...(game === 'server' ? [] : texts(`src/games/${game}/messages/${language}.json`)),
  ])

describe.each(Object.keys(LANGUAGES))('%s', (language) => {
  test.each(Object.entries(REFUSALS))('every refusal has a sentence: %s', (game, codes) => {
    const said = sayable(game, language)
    expect(codes.filter((code) => !said.has(`refused_${code}`))).toEqual([])
  })
})

describe('options', () => {
  beforeAll(() => speak('en'))

  test.each(Object.keys(OPTIONS))('every option of %s has a name, and every choice', async (game) => {
    const rules = await loadGame(game)
    for (const option of optionsOf(game)) {
      if (option.kind !== 'number' || option.suggested.length) expect(messageNamed(`option_${option.name}`), option.name).toBeDefined()
      // Without a message of its own a number is read out as a time.
      if (option.kind === 'number' && !option.name.endsWith('_seconds')) expect(messageNamed(`option_${option.name}_value`), option.name).toBeDefined()
      expect(optionLabel(option).length).toBeGreaterThan(1)
      for (const choice of [...option.choices, ...option.suggested])
        expect(valueText(option, choice, rules), `${option.name} ${String(choice)}`).not.toBe(String(choice))
    }
  })

  test('only what differs is said, and what cannot be chosen is not', async () => {
    const rules = await loadGame('set')
    const said = (chosen: object) => optionWords(optionsOf('set'), chosen as Record<string, unknown>, rules)
    expect(said({ rounds: null, claim: 'call', show_seconds: 5 })).toEqual([])
    expect(said({ rounds: 2, show_seconds: 8, auto_deal: true })).toEqual([
      '2 rounds',
      'Three more cards are dealt automatically when there is no SET',
      '8 seconds to show',
    ])
    expect(said({ only: 'red', table: 9 })).toEqual(['Only red (27 cards)', '9 cards on the table'])
    expect(said({ table: 9 })).toEqual([])
    const table = optionsOf('set').find(({ name }) => name === 'table')!
    expect([applies(table, { variant: 'junior', only: null }), applies(table, { variant: 'ghost', only: null })]).toEqual([true, false])
  })

  test('a time limit is said with what it limits', async () => {
    expect(optionWords(optionsOf('cubed'), { turn_seconds: 120 }, await loadGame('cubed'))).toEqual(['Time per turn: 2 minutes'])
  })
})

test.each(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])('a game is called by its variant, in a word or two: %s', async (language) => {
  await speak(language)
  const rules = await loadGame('set')
  const title = (options: object) => fullTitleOf('set', options, rules)
  expect([title({}), title({ variant: 'classic' })]).toEqual(['Set', 'Set'])
  const { choices } = optionsOf('set').find(({ name }) => name === 'variant')!
  const others = choices.filter((variant) => variant !== 'classic').map((variant) => title({ variant }))
  for (const called of others) expect(called).toMatch(/^Set · [^:]{4,14}$/)
  expect(new Set(others).size).toBe(5)
  await speak('en')
  expect(title({ variant: 'chain' })).toBe('Set · Chain')
})

describe.each(Object.keys(LANGUAGES))('editions of one\'s own in %s', (language) => {
  test('every problem has a sentence', () => {
    const said = sayable('server', language)
    const names = [...EDITION_PROBLEMS, 'not_toml_line'].map((code) => `own_edition_wrong_${code}`)
    expect(names.filter((name) => !said.has(name))).toEqual([])
  })
})
