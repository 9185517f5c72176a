import { beforeAll, describe, expect, test } from 'vitest'
import { speak } from '../src/language.svelte'
import type { Seat } from '../src/protocol'
import { gatheringNews } from '../src/table/gathering'
import { seatNews } from '../src/table/news'

const person = (name: string): Seat => ({ name, person: name.toLowerCase(), bot: null, ready: true, program: false })
const bot = (level: string, name: string): Seat => ({ name, person: null, bot: level, ready: true, program: false })
const steady = bot('steady', 'Steady')

describe('who comes and goes', () => {
  beforeAll(() => speak('en'))

  test('a bot plays on', () => {
    expect(seatNews([person('Ada'), person('Ben')], [person('Ada'), steady], 'ada')).toBe('Steady plays on for Ben.')
  })

  test('somebody takes the seat of a bot', () => {
    const [before, after] = [[person('Ada'), steady], [person('Ada'), person('Cleo')]]
    expect(seatNews(before, after, 'ada')).toBe('Cleo plays on in place of a bot.')
    expect(seatNews(before, after, 'cleo')).toBe('You play on in place of a bot.')
  })

  test('somebody comes back to the own seat', () => {
    const [before, after] = [[person('Ada'), steady], [person('Ada'), person('Ben')]]
    const taken = [{ seat: 1, before: ['Ben', 'Steady'], bots: [null, 'steady'], until: [4, 9] }]
    expect(seatNews(before, after, 'ada', taken)).toBe('Ben is back.')
    expect(seatNews(before, after, 'ben', taken)).toBe('You are back; the bot has left.')
  })

  test('somebody was away, and others have come and gone', () => {
    const before = [person('Ada'), person('Ben'), person('Cleo')]
    const after = [steady, person('Dan'), person('Cleo')]
    expect(seatNews(before, after, 'ada')).toBe('Steady now plays in your place. Dan plays on for Ben.')
  })

  test('all stay, though one is ready and a bot makes way with its name', () => {
    const before = [{ ...person('Ada'), ready: false }, bot('steady', 'Steady')]
    expect(seatNews(before, [person('Ada'), bot('steady', 'Steady 2')], 'ada')).toBe('')
    expect(seatNews([], before, 'ada')).toBe('')
    expect(seatNews([bot('random:gentle', 'Random')], [bot('random', 'Random')], 'ada')).toBe('')
  })

  test('bots have names in every language, and a name from elsewhere keeps its direction', async () => {
    await speak('ru')
    expect(seatNews([person('Ben')], [steady], 'ada')).toBe('Ben выходит из игры; дальше играет Надёжный.')
    await speak('he')
    expect(seatNews([person('Ben')], [steady], 'ada')).toBe('מעכשיו יציב במקום \u2068Ben\u2069.')
  })
})

test('who waits before a game hears who comes, is ready and leaves, but not of what they did themselves', async () => {
  await speak('en')
  const unready = (name: string): Seat => ({ ...person(name), ready: false })
  const open: Seat = { ...unready(''), person: null }
  const told = (before: Seat[], after: Seat[]) => gatheringNews(before, after, 'ada')
  const alone = [unready('Ada'), open]
  expect(told(alone, [unready('Ada'), unready('Ben')])).toBe('Ben sits down.')
  expect(told([unready('Ada'), unready('Ben')], [person('Ada'), person('Ben')])).toBe('Ben is ready.')
  expect(told([person('Ada'), person('Ben')], [person('Ada'), unready('Ben')])).toBe('Ben is not ready after all.')
  expect(told([person('Ada'), unready('Ben')], alone)).toBe('Ben leaves the table.')
  expect(told([unready('Ben'), open], [open, unready('Ben')])).toBe('')
  expect(told([open, open], [unready('Ada'), steady])).toBe('')
})
