import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { announce, sayAgain, spoken } from '../src/announce.svelte'
import { GAMES, loadGame } from '../src/games'
import { editionOf } from '../src/editions/editions'
import { start } from '../src/games/cubed/rules'
import type { Scene } from '../src/games/cubed/scenes'
import { handText, spokenNews } from '../src/games/cubed/spoken'
import { Turn } from '../src/games/cubed/turn.svelte'
import { layOut } from '../src/games/set/layout'
import type { GameState } from '../src/games/module'
import { asksText } from '../src/games/puzzles/words'
import { LANGUAGES, speak, speakOf } from '../src/language.svelte'
import type { PuzzleItem } from '../src/protocol'
import { ALL_CARDS, ALL_FACES } from '../src/sets'
import { settings } from '../src/settings.svelte'
import { actionOf, HELP, keyOf, printedOn, type Shortcut } from '../src/table/keys'
import { endedNews, standingText } from '../src/table/news'
import { initials } from '../src/table/initials'
import { readCard, seatName, signText } from '../src/words'

const texts = () => spoken().map(({ text }) => text)

describe('by ear', () => {
  test('of a hand that is known one hears what was kept and what is new, with the keys that they have now', async () => {
    await loadGame('cubed')
    const hand = [
      { number: 7, face: '2GS', wild: false },
      { number: 9, face: 'W', wild: false },
    ]
    expect(handText(hand)).toBe('Your dice: 1: 2, green, squiggle; 2: wild.')
    expect(handText(hand, hand.slice(0, 1))).toBe('Kept: 1: 2, green, squiggle. New: 2: wild.')
    expect(handText(hand, [{ number: 3, face: '1RD', wild: false }, ...hand])).toBe('Your dice: 1: 2, green, squiggle; 2: wild.')
    expect(handText(hand, [{ ...hand[0]!, face: '1RD' }, hand[1]!])).toBe('Kept: 2: wild. New: 1: 2, green, squiggle.')
    expect(handText(hand, hand)).toBe('')
  })

  describe('at the dice table', () => {
    const die = (number: number, face: string) => ({ number, face, wild: false })
    const state = { ...start({}, 2), scores: [6, 5], hands: [[die(7, '2GS'), die(9, 'W')], [die(3, '1RD')]] }
    const place = { state, seat: 0, names: ['Ada', 'Ben'] }
    const laid = (seat: number): Scene => ({
      kind: 'turn',
      event: { kind: 'laid', seat, placements: [{ square: 'f3', face: '1GO', wild: false, die: 4 }], points: 3 },
      marks: [],
      bonus: 0,
      seq: 9,
      timeUp: false,
      after: state,
    })
    const thrown = (...dice: [number, number][]): Scene => ({
      kind: 'throw',
      why: 'extra',
      round: null,
      thrown: dice.map(([seat, number]) => ({ seat, die: number, drawn: false })),
      seq: 9,
      timeUp: false,
      after: state,
    })

    beforeEach(() => loadGame('cubed'))

    test('what one throws again comes first, that others do besides', () => {
      const news = spokenNews(thrown([0, 9], [1, 3]), place)!
      expect([news.said, news.besides]).toEqual(['You threw again: 2: wild.', 'Ben throws 1 die again.'])
      expect(news.text).toBe('You threw 1 die again. Ben throws 1 die again.')
      expect(spokenNews(thrown([0, 9]), { ...place, seat: null })!.text).toBe('Ada throws 1 die again.')
      expect(spokenNews(thrown([1, 3]), place)!.said).toBe('')
      expect(spokenNews(thrown(), place)).toMatchObject({ text: 'Everyone keeps all their dice.', aside: true })
    })

    test('who wants to hear little hears the points of others, not their dice', () => {
      const news = spokenNews(laid(1), place)!
      expect([news.text, news.spoken, news.besides]).toEqual(['Ben lays: 3 points', 'Now 5 points.', 'f3: 1, green, oval.'])
    })

    test('a turn that is shown again is told as such, with the points of then', () => {
      const news = spokenNews({ ...laid(0), then: { ...state, scores: [4, 2] } }, place)!
      expect([news.said, news.spoken]).toEqual(['Shown again: 3 points for you!', 'That made 4 points.'])
    })

    test('dice that were chosen to be thrown are not chosen to be laid', () => {
      let asked: 'throw' | 'lay' = 'throw'
      const turn = new Turn(
        () => ({ edition: editionOf('house'), board: state.board, hand: state.hands[0]!, seat: 0, onTurn: asked === 'lay', asked }),
        { say: () => {}, clear: () => {}, seat: null, tone: '' },
      )
      turn.toggle(7)
      turn.catchUp()
      expect(turn.chosen).toEqual([7])
      asked = 'lay'
      turn.catchUp()
      expect(turn.chosen).toEqual([])
    })
  })

  test('a puzzle is said with its answers and their keys', async () => {
    await speakOf('puzzles')
    const item: PuzzleItem = { asked: 'third', of: 'cards', shown: ['1RFD', '2RFD'], choices: ['3RFD', '3GFD'], position: null } as never
    expect(asksText(item)).toBe(
      'Which card completes the SET? 1, red, full, diamond; 2, red, full, diamond. Answers: 1: 3, red, full, diamond; 2: 3, green, full, diamond.',
    )
    expect(asksText({ ...item, asked: 'best_turn' }, true)).toBe('Lay the turn that wins most often')
  })

  beforeEach(async () => {
    await speak('en')
    settings.speech = 'usual'
  })

  test('everything is spoken in the order in which it came, the same words twice, too', () => {
    announce('One.')
    announce('Two.')
    announce('Two.')
    expect(texts().slice(-3)).toEqual(['One.', 'Two.', 'Two.'])
    expect(new Set(spoken().map(({ id }) => id)).size).toBe(spoken().length)
    sayAgain()
    expect(texts().at(-1)).toBe('Two.')
  })

  test('who wants to hear little hears little', () => {
    settings.speech = 'short'
    announce('Your turn.')
    announce('Ben calls.', 'usual')
    announce('Taken: a, b, c.', 'full')
    expect(texts().at(-1)).toBe('Your turn.')
    settings.speech = 'full'
    announce('Taken: d.', 'full')
    expect(texts().at(-1)).toBe('Taken: d.')
  })

  test('names and points are sentences, and the end names the winner', () => {
    const state = { options: {}, round: 1, scores: [5, 1] } satisfies GameState
    const place = { state, seat: 0, names: ['Ada', 'Ben'] }
    expect(standingText(place)).toBe('Ada, you: 5 points; Ben: 1 point.')
    expect(endedNews(place).spoken).toBe('You win! Ada, you: 5 points; Ben: 1 point.')
    expect(endedNews({ ...place, seat: 1 }).spoken).toContain('Ada wins!')
    expect(endedNews({ state: { ...state, scores: [5] }, seat: 0, names: ['Ada'] }).spoken).toBe('Ada, you: 5 points.')
    expect(endedNews({ ...place, state: { ...state, scores: [2, 2] } }).spoken).toContain('A shared win: Ada, Ben')
  })
})

describe('by key', () => {
  const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init)
  const call: Shortcut = { action: 'call', code: 'KeyL', says: () => '' }
  const type: Shortcut = { action: 'type', code: '/', says: () => '' }

  beforeEach(() => {
    settings.shortcuts = true
    settings.keymap = {}
    settings.keyboard = 'qwerty'
  })

  test('a letter is found where it lies, a sign where it is printed', () => {
    expect(actionOf(press({ code: 'KeyL', key: 'д' }), [call, type])).toBe('call')
    expect(actionOf(press({ code: 'Digit7', key: '/', shiftKey: true }), [call, type])).toBe('type')
    // On a Hebrew keyboard Q prints it: there it is the key of a card.
    expect(actionOf(press({ code: 'KeyQ', key: '/' }), [call, type])).toBeUndefined()
    expect(actionOf(press({ code: 'KeyM', key: '?', shiftKey: true }), [HELP])).toBe('help')
  })

  test('it can be changed, and turned off', () => {
    settings.keymap = { call: { code: 'F2', shown: 'F2' } }
    expect(actionOf(press({ code: 'F2', key: 'F2' }), [call])).toBe('call')
    expect(actionOf(press({ code: 'KeyL', key: 'l' }), [call])).toBeUndefined()
    settings.shortcuts = false
    expect(actionOf(press({ code: 'F2', key: 'F2' }), [call])).toBeUndefined()
  })

  test('what is printed on a key depends on the keyboard', () => {
    expect([printedOn('KeyQ'), printedOn('Digit0'), keyOf(type).shown]).toEqual(['Q', '0', '/'])
    settings.keyboard = 'russian'
    expect([printedOn('KeyQ'), printedOn('KeyL')]).toEqual(['Й', 'Д'])
  })

  test.each(GAMES.map(({ name }) => name))('no two keys of %s are the same, and each says what it does', async (name) => {
    const { keys } = await loadGame(name)
    const codes = [...keys.shortcuts, HELP].map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const { says } of [...keys.shortcuts, ...keys.fixed]) expect(says().length).toBeGreaterThan(3)
  })
})

describe('by eye', () => {
  test.each(Object.keys(LANGUAGES))('in %s every card has letters of its own, which can be typed', async (language) => {
    await speak(language as keyof typeof LANGUAGES)
    expect(new Set(ALL_CARDS.map(signText)).size).toBe(81)
    expect(new Set(ALL_FACES.map(signText)).size).toBe(27)
    for (const card of ALL_CARDS) expect(readCard(` ${signText(card).toLowerCase()} `)).toBe(card)
  })

  test('bots of one name are numbered like kings', async () => {
    const names = ['Greedy', 'Greedy 2', 'Greedy 4'].map((name) => () => seatName(name, 'greedy'))
    await speak('en')
    expect(names.map((name) => name())).toEqual(['Greedy', 'Greedy\u00a0II', 'Greedy\u00a0IV'])
    expect(names.map((name) => initials(name()))).toEqual(['Gre', 'GII', 'GIV'])
    expect(seatName('Ada 2', null)).toBe('Ada 2')
    await speak('he')
    expect(names.map((name) => name())).toEqual(['חמדן', 'חמדן\u00a0ב׳', 'חמדן\u00a0ד׳'])
    expect(names.map((name) => initials(name()))).toEqual(['חמד', 'חב', 'חד'])
  })

  test('three more cards move none on a phone, and 21 have room', () => {
    for (const [width, height] of [[362, 560], [308, 390], [308, 320]] as const) {
      const [twelve, fifteen, most] = [12, 15, 21].map((cards) => layOut(cards, width, height, 6))
      expect(twelve).toEqual(fifteen)
      expect(most!.rows * (most!.height + 6) - 6).toBeLessThanOrEqual(height)
      expect(most!.columns * (most!.width + 6) - 6).toBeLessThanOrEqual(width)
    }
    // Height to spare makes cards larger, and none is nearer to a square than 6 : 5.
    expect(layOut(12, 362, 560, 6)).toMatchObject({ columns: 3, rows: 5, width: 116, height: 96 })
    expect(layOut(12, 362, 440, 6).height).toBe(83)
    expect(layOut(12, 1000, 600, 14).columns).toBe(4)
  })

  test('the notation is read in every language where it means nothing else', async () => {
    await speak('ru')
    expect(readCard('2ghs')).toBe('2GHS')
    expect(readCard('2зшв')).toBe('2GHS')
    expect(readCard('2GX')).toBeNull()
    await speak('en')
  })

  test('what is hidden in a list that scrolls never makes the whole page scroll', () => {
    const loose = globSync('src/**/*.{svelte,css}').flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('}')
        .filter((block) => /overflow(-[xy])?: (auto|scroll)/.test(block) && !/position: (relative|absolute|fixed|sticky)/.test(block.split('{').at(-1)!))
        .map((block) => `${file}: ${block.split('{')[0]!.trim().split('\n').at(-1)}`),
    )
    expect(loose).toEqual([])
  })

  const css = readFileSync('src/theme/tokens.css', 'utf8')
  const blockOf = (selector: string): string => css.split('\n}').find((block) => block.includes(`\n${selector} {`)) ?? ''
  const colourIn = (name: string, ...selectors: string[]): string =>
    selectors.flatMap((selector) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(blockOf(selector))?.[1] ?? []).at(-1)!
  const luminance = (hex: string): number => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const contrast = (a: string, b: string): number => {
    const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other)
    return (light! + 0.05) / (dark! + 0.05)
  }
  const DAY = [':root', ":root[data-palette='wide']"]
  const NIGHT = [':root', ":root[data-theme='dark']", ":root[data-palette='wide']", ":root[data-palette='wide'][data-theme='dark']"]

  test.each([
    ['by day', DAY],
    ['by night', NIGHT],
  ])('%s the colours of the wide palette are apart in greys, and clear on their paper', (_, selectors) => {
    const [red, green, purple, card] = ['red', 'green', 'purple', 'card'].map((name) => colourIn(name, ...selectors))
    for (const [a, b] of [[red, green], [red, purple], [green, purple]]) expect(contrast(a!, b!)).toBeGreaterThan(2)
    for (const colour of [red, green, purple]) expect(contrast(colour!, card!)).toBeGreaterThan(3)
  })

  test('the ring around a chosen card is seen without colours: by night the dark cloth lies between them', () => {
    const night = [':root', ":root[data-theme='dark']"]
    expect(contrast(colourIn('accent', ':root'), colourIn('card', ':root'))).toBeGreaterThan(3)
    for (const name of ['accent', 'card']) expect(contrast(colourIn(name, ...night), colourIn('table-deep', ...night))).toBeGreaterThan(3)
    expect(Number(/--ring-gap: ([\d.]+)px/.exec(blockOf(night[1]!))?.[1])).toBeGreaterThanOrEqual(1)
  })

  const SEATS = [0, 1, 2, 3, 4, 5, 6, 7].map((seat) => `seat-${seat}`)
  const GROUNDS = ['room', 'table', 'table-deep', 'paper']
  const READ = ['ink', 'ink-soft', 'accent', 'accent-strong', 'good', 'bad']

  test.each([
    ['by day', [':root']],
    ['by night', [':root', ":root[data-theme='dark']"]],
  ])('%s every word is read, every line and sign is seen', (_, selectors) => {
    const apart = (names: string[], grounds: string[], least: number) =>
      names.flatMap((name) =>
        grounds.flatMap((ground) => {
          const found = contrast(colourIn(name, ...selectors), colourIn(ground, ...selectors))
          return found < least ? [`${name} on ${ground}: ${found.toFixed(2)}`] : []
        }),
      )
    // `ink-soft` is also what a button says, and its edge, that does nothing for now.
    expect(apart(READ, GROUNDS, 4.5)).toEqual([])
    expect(apart(['on-accent'], ['accent', 'accent-strong'], 4.5)).toEqual([])
    expect(apart(['on-seat'], SEATS, 4.5)).toEqual([])
    expect(apart([...SEATS, 'focus', 'board-line'], GROUNDS, 3)).toEqual([])
    expect(apart(['red', 'green', 'purple'], ['card'], 3)).toEqual([])
    expect(apart(['glow-edge'], ['glow'], 3)).toEqual([])
    // The ring around what a hint means: its edge is seen on light cloth, the ring itself on dark cloth.
    expect(GROUNDS.filter((ground) => apart(['glow'], [ground], 3).length && apart(['glow-edge'], [ground], 3).length)).toEqual([])
  })
})
