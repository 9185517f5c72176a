import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { ApiError, recordOf } from '../src/api'
import { loadGame } from '../src/games'
import type { Entry } from '../src/games/module'
import after from '../src/games/puzzles/after'
import { Passing } from '../src/games/puzzles/passing.svelte'
import { evolve, start } from '../src/games/puzzles/rules'
import { bestPoints } from '../src/games/puzzles/short'
import { placementsOf, turnText } from '../src/games/puzzles/turntext'
import { usualGroups, variantOf } from '../src/games/set/variants'
import { speak, speakOf } from '../src/language.svelte'
import { dateOf, firstWeekday } from '../src/locale'
import type { Daily, PuzzleEvent, PuzzleItem, RunSummary } from '../src/protocol'
import { emblemOf } from '../src/runs/emblem'
import { doneBy, splitsOf } from '../src/runs/ghost'
import { chosenGhost, chooseGhost, ghostsOf } from '../src/runs/ghosts'
import { addedText, outcomeText, shownDifference } from '../src/runs/kinds'
import { shareText } from '../src/runs/share'
import { HOLD_MS } from '../src/table/fly'
import { Takings } from '../src/table/takings.svelte'

const RUN: RunSummary = {
  kind: 'daily_set', game: 'g', seat: 0, day: '2026-11-17', points: 6, time_ms: 147_800, errors: 2, value: 167_800, reason: null, start_time: 0, end_time: 0,
}
const words = async () => {
  await speak('en')
  await speakOf('runs')
}

test('how much slower one was is the difference of the times that one reads', () => {
  expect([shownDifference(8600, 8599), shownDifference(8690, 8601), shownDifference(13_750, 10_540)]).toEqual([100, 0, 3200])
})

describe('there is one time, with what errors added', () => {
  test('in the splits of a sprint, and so in its ghost', async () => {
    const rules = await loadGame('set')
    const log = [
      [1000, { kind: 'dealt', cards: ['1RFD', '2RFD', '3RFD'], seat: 0 }],
      [3000, { kind: 'missed', seat: 0, cards: ['1RFD', '2RFD', '3RFO'] }],
      [4000, { kind: 'took', seat: 0, cards: ['1RFD', '2RFD', '3RFD'], dealt: [] }],
    ].map(([at, event], place) => ({ seq: place + 1, at, event })) as Entry[]
    const times = splitsOf(rules, rules.start({}, 1).options, ['Ada'], log, 0)
    expect(times).toEqual([8000])
    expect([doneBy({ name: '', times }, 7999), doneBy({ name: '', times }, 8000)]).toEqual([0, 1])
  })

  test('in a storm an error takes from the time that is left, and adds nothing', async () => {
    const rules = await loadGame('puzzles')
    const item = { asked: 'third', of: 'cards', shown: ['1RFD', '2RFD'], choices: ['3RFD', '3RFO'], position: null, difficulty: 1 }
    const answer = (number: number, right: boolean) => ({ kind: 'answered', seat: 0, number, right, points: right ? 1 : 0, picks: [0], placements: null, next: item })
    const log = [[0, { kind: 'began', first: item }], [2000, answer(1, false)], [3000, answer(2, true)]].map(([at, event], place) => ({ seq: place + 1, at, event })) as Entry[]
    expect(splitsOf(rules, { kind: 'storm' }, ['Ada'], log, 0)).toEqual([3000])
    expect(splitsOf(rules, { kind: 'daily_set' }, ['Ada'], log, 0)).toEqual([13_000])
  })

  test('in words', async () => {
    await words()
    expect([outcomeText('daily_set', RUN), addedText('daily_set', RUN)]).toEqual(['2:47.8', '2:27.8 + 20 s for 2 errors'])
    expect(addedText('sprint', { ...RUN, errors: 1, value: 152_800 })).toBe('2:27.8 + 5 s for 1 error')
    expect(addedText('sprint', { ...RUN, errors: 0, value: 147_800 })).toBe('')
    expect(addedText('dice_sprint', { ...RUN, errors: 1, value: 162_800 })).toBe('2:27.8 + 15 s for 3 points short of the best')
  })
})

describe('a dice sprint', () => {
  // What the server played and judged: two seats, eight boards each.
  const lines = readFileSync('../tests/playthroughs/puzzles-boards.txt', 'utf8').split('\n')
  const asked = lines.flatMap((line) => /best_turn in (\{.+\})$/.exec(line)?.[1] ?? [])
  const items = [...new Set(asked)].map(
    (text) => ({ asked: 'best_turn', of: 'dice', shown: [], choices: [], position: JSON.parse(text), difficulty: 0 }) as unknown as PuzzleItem,
  )
  const answers = lines.flatMap((line) => {
    const [, seat, number, right, points] = /(\d) answers (\d): .+?, (right|wrong) for (\d+)/.exec(line) ?? []
    return seat ? [{ seat: Number(seat) - 1, number: Number(number), right: right === 'right', points: Number(points) }] : []
  })

  test('knows the best turn of a board as the server does', () => {
    expect(items).toHaveLength(8)
    expect(answers.length).toBeGreaterThan(8)
    for (const { number, right, points } of answers) {
      const best = bestPoints(items[number - 1]!)
      expect(right ? points === best : points < best).toBe(true)
    }
  })

  test('counts every board, says what a weak turn costs, and adds it to the time at once', async () => {
    await words()
    const rules = await loadGame('puzzles')
    await speakOf('puzzles')
    const mine = answers.filter(({ seat }) => seat === 0).slice(0, 2)
    const short = bestPoints(items[1]!) - mine[1]!.points
    const events: PuzzleEvent[] = [
      { kind: 'began', first: items[0]! },
      ...mine.map((answer) => ({ ...answer, kind: 'answered' as const, picks: null, placements: [{ square: 'a1', face: '1RD', wild: false, die: 1 }], next: items[answer.number]! })),
    ]
    const log = events.map((event, place) => ({ seq: place + 1, at: 1000 * place, event })) as unknown as Entry[]
    expect(splitsOf(rules, { kind: 'boards' }, ['Ada'], log, 0)).toEqual([1000, 2000 + 5000 * short])
    const state = events.reduce((before, event, place) => evolve(before, event, 1000 * place), start({ kind: 'boards' }, 1))
    expect(rules.pace!.progress!(state, 0)).toBe('Board 3 of 8')
    const news = rules.eventNews(events[2] as never, { state, seat: 0, names: ['Ada'] } as never)
    expect(news).toMatchObject({ text: `3 of ${3 + short} points: ${5 * short} seconds more.`, tone: 'bad' })
  })
})

test('what is taken alone against the clock is not held above the new cards', () => {
  const [held, quick] = [true, false].map((held) => {
    const flight = { currentTime: 0 } as unknown as Animation
    new Takings().follow({ id: 1, seat: 0, name: 'Ada', held, copies: [], to: null }, flight)
    return flight.currentTime
  })
  expect([held, quick]).toEqual([0, HOLD_MS])
})

test('a whole deck usually gives so many SETs: by that its bar fills', () => {
  const usual = (variant: string) => usualGroups(variantOf({ only: null, variant } as never))
  expect(['classic', 'junior', 'ultra', 'chain'].map(usual)).toEqual([25, 7, 19, 38])
})

describe('in a storm', () => {
  const item = { asked: 'third', of: 'cards', shown: ['1RFD', '2RFD'], choices: ['3RFD', '3RFO'], position: null, difficulty: 1 } as PuzzleItem
  const answered = { kind: 'answered' as const, seat: 0, number: 1, right: true, points: 1, picks: [0], placements: null, next: item } satisfies PuzzleEvent

  test('what is said of an answer stands beside it, and passes', () => {
    vi.useFakeTimers()
    const over = vi.fn()
    const passing = new Passing(over)
    const begun = evolve(start({ kind: 'storm' }, 1), { kind: 'began', first: item }, 0)
    passing.note(begun, answered)
    expect(passing.signs).toEqual(['1RFD', '2RFD', '3RFD'])
    vi.advanceTimersByTime(2000)
    expect([passing.signs, over.mock.calls.length]).toEqual([[], 1])
    passing.note(evolve(start({ kind: 'daily_set' }, 1), { kind: 'began', first: item }, 0), answered)
    vi.advanceTimersByTime(2000)
    expect(over).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })

  test('it is said that the time was up, and not of one that was stopped', async () => {
    await words()
    await speakOf('puzzles')
    const ending = (why: 'time' | 'enough') => {
      const state = evolve(start({ kind: 'storm' }, 1), { kind: 'stopped', seat: 0, why }, 180_000)
      return after.ending!({ names: ['Ada'], seat: 0, entries: [], states: [state], words: () => ({ text: '', signs: [] }) })
    }
    expect([ending('time'), ending('enough')]).toEqual(['Time’s up.', ''])
  })
})

test('a day that was given up says so, and the dice of a day say the chance', async () => {
  await words()
  expect(outcomeText('daily_set', { ...RUN, points: 3, reason: 'not_finished' })).toBe('3 of 6, not finished')
  expect(outcomeText('daily_cubed', { ...RUN, points: 5, value: -62 * 1e9 + 41_000 })).toBe('6.2%')
  expect(outcomeText('daily_cubed', { ...RUN, points: 5, value: -60 * 1e9 + 41_000 })).toBe('6.0%')
  expect(outcomeText('daily_cubed', { ...RUN, points: 5, value: 41_000 })).toBe('0.0%')
})

test('what is shared explains itself, and leads to the kind of puzzle', async () => {
  await words()
  const daily = { kind: 'daily_set', day: '2026-11-17' } as const
  const [title, signs, streak, link] = shareText({ daily, run: RUN, marks: [true, false, false, true, true, true, true, true], part: null, streak: 3 }).split('\n')
  expect([title, signs, streak]).toEqual([`Tercet · Daily Set · ${dateOf('2026-11-17')}`, '✔✘✘✔✔✔✔✔ · 2:47.8 · 2 errors', 'Days in a row: 3'])
  expect(link).toMatch(/\/daily\?kind=daily_set$/)
  const cubed = { daily: { kind: 'daily_cubed', day: '2026-11-17' } as const, run: { ...RUN, errors: 1 }, marks: [false], part: 0.367, streak: 1 }
  expect(shareText(cubed).split('\n')[1]).toBe('◆◇◇◇ · 36.7% of the best turn')
  expect(shareText({ ...cubed, run: { ...RUN, reason: 'day_over' } })).toMatch(`${dateOf('2026-11-17')} · not counted`)
})

test('before a puzzle is played, its picture is none of it', () => {
  const daily = { puzzle: { shown: ['1RFD', '2RFD', '3RFD', '1GFD'], position: null }, yours: null } as unknown as Daily
  expect(emblemOf('daily_set', daily)).not.toEqual(['1RFD', '2RFD', '3RFD'])
  expect(emblemOf('daily_set', { ...daily, yours: RUN })).toEqual(['1RFD', '2RFD', '3RFD'])
})

test('why a record is not shown is said as the server says it', async () => {
  const told = new Response(JSON.stringify({ code: 'day_not_over' }), { status: 403 })
  vi.stubGlobal('fetch', () => Promise.resolve(told))
  await expect(recordOf('g')).rejects.toEqual(new ApiError(403, 'day_not_over'))
  vi.unstubAllGlobals()
})

test('a turn is read as it is written', () => {
  expect(placementsOf('3RS@e1 *1PD@e2')).toEqual([{ square: 'e1', face: '3RS', wild: false }, { square: 'e2', face: '1PD', wild: true }])
  expect(turnText(placementsOf('3RS@e1 *1PD@e2'))).toBe('3RS@e1 *1PD@e2')
  expect(placementsOf('-')).toEqual([])
})

test.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Etc/GMT+12'])('a day of puzzles has the same date in %s', async (zone) => {
  const own = process.env.TZ
  process.env.TZ = zone
  try {
    await words()
    expect(dateOf('2028-02-29')).toBe('Feb 29, 2028')
    const daily = { kind: 'daily_set', day: '2026-12-31' } as const
    expect(shareText({ daily, run: RUN, marks: [true], part: null, streak: 1 })).toContain('· Dec 31, 2026\n')
  } finally {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  }
})

test('a week begins as the language has it', () => {
  expect([firstWeekday('he'), firstWeekday('en-US'), firstWeekday('en-GB'), firstWeekday('ru')]).toEqual([7, 7, 1, 1])
})

test('what is shared in Hebrew keeps its parts in their order', async () => {
  await speak('he')
  await speakOf('runs')
  const daily = { kind: 'daily_set', day: '2026-11-17' } as const
  const [title] = shareText({ daily, run: RUN, marks: [true], part: null, streak: 1 }).split('\n')
  expect(title).toMatch(/^\u200fTercet \u200f·\u200f Set /)
  await words()
})

describe('whom one runs against', () => {
  test('a run from a board is named, and is of its own kind alone', () => {
    expect(ghostsOf('sprint_ten').map(({ ghost }) => ghost)).toEqual(['none', 'best', 'average', 'last', 'day', 'friend', 'bot'])
    chooseGhost({ ghost: 'run', run: { kind: 'sprint_ten', game: 'g', seat: 0, name: 'Benedikta' } })
    expect(ghostsOf('sprint_ten')).toContainEqual({ ghost: 'run', name: 'Benedikta' })
    expect(chosenGhost('sprint_ten').ghost).toBe('run')
    expect(ghostsOf('storm').map(({ ghost }) => ghost)).not.toContain('run')
    expect(chosenGhost('storm').ghost).toBe('best')
  })
})
