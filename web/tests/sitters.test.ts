import { beforeAll, describe, expect, test } from 'vitest'
import { speak } from '../src/language.svelte'
import { takenOverOf, type GameRecord } from '../src/record'
import { changesOf, isOfBot, namesAt, personBefore } from '../src/table/sitters'

beforeAll(() => speak('en'))

/** Carl had the third seat until event 12, then a bot until event 30. */
const TAKEN = [{ seat: 2, before: ['Carl', 'Casual'], bots: [null, 'casual'], until: [12, 30] }]
const NOW = ['Anna', 'Dora', 'Carl']
const NO_BOTS = [null, null, null]

describe('a seat that changed hands', () => {
  test('what somebody did keeps their name', () => {
    expect([12, 13, 30, 31].map((seq) => namesAt(NOW, TAKEN, seq)[2])).toEqual(['Carl', 'Casual', 'Casual', 'Carl'])
  })

  test('each change stands at its place', () => {
    expect(changesOf(NOW, NO_BOTS, TAKEN)).toEqual([
      { seat: 2, after: 12, text: 'Casual plays on for Carl.' },
      { seat: 2, after: 30, text: 'Carl is back.' },
    ])
    const eva = changesOf(['Anna', 'Dora', 'Eva'], NO_BOTS, TAKEN)
    expect(eva.at(-1)!.text).toBe('Eva plays on in place of a bot.')
  })

  test('a bot is neither away nor back, a person is', () => {
    const [away, back] = [{ kind: 'stepped_away', seat: 2 }, { kind: 'came_back', seat: 2 }]
    expect([isOfBot(away, 11, TAKEN, NO_BOTS), isOfBot(back, 13, TAKEN, NO_BOTS), isOfBot(back, 31, TAKEN, NO_BOTS)]).toEqual([false, true, false])
  })

  test('one knows for whom a bot plays', () => {
    expect(personBefore([{ ...TAKEN[0]!, before: ['Carl'], bots: [null], until: [12] }], 2)).toBe('Carl')
    expect(personBefore([], 2)).toBeUndefined()
  })

  test('a record says it too, and nothing where its remarks cannot be read', () => {
    const record = (tags: Record<string, string>) => ({ seats: NOW, tags }) as unknown as GameRecord
    expect(takenOverOf(record({ Before3: '["Carl","Casual"]', Until3: '[12,30]' }))).toEqual(TAKEN)
    expect(takenOverOf(record({ Bot3: 'casual', Before3: '["Carl"]', Until3: '[12]' }))[0]!.bots).toEqual([null])
    expect(takenOverOf(record({ Before3: 'Carl', Until3: '[12]' }))).toEqual([])
    expect(takenOverOf(record({ Before3: '["Carl"]' }))).toEqual([])
  })
})
