import { describe, expect, test } from 'vitest'
import { apart, clockTime, legible, lineThrough, niceTicks, timeTicks } from '../src/after/chart'
import { loadGame } from '../src/games'
import type { AfterGame, Story } from '../src/games/module'
import { speak, speakOf } from '../src/language.svelte'
import { RUNS, type CubedEvent, type CubedState } from '../src/protocol'
import { bestTurn, turnsOf } from '../src/games/cubed/story'
import { longest, paceOf, quickest, raceStory } from '../src/games/racestory'
import { readRecord, statesOf } from '../src/record'
import type { Connection } from '../src/table/connection.svelte'
import { readCode } from '../src/table/code'
import { seatsToTake } from '../src/table/seating'
import vectors from './vectors.json'

describe('how a race went', () => {
  const log = [
    [0, { kind: 'dealt', cards: [] }],
    [4000, { kind: 'called', seat: 0 }],
    [6000, { kind: 'took', seat: 0, cards: ['1RFD', '2RFD', '3RFD'] }],
    [7000, { kind: 'called', seat: 1 }],
    [8000, { kind: 'missed', seat: 1, cards: ['1RED', '2RED', '3RFO'] }],
    [16_000, { kind: 'took', seat: 0, cards: ['1GFD', '2GFD', '3GFD'] }],
    [20_000, { kind: 'opened', cards: ['1PED', '2PED', '3PED'] }],
    [21_500, { kind: 'took', seat: 1, cards: ['1PED', '2PED', '3PED'] }],
    [30_000, { kind: 'round_ended', left: [] }],
    [39_000, { kind: 'dealt', cards: [] }],
    [40_000, { kind: 'took', seat: 1, cards: ['1PFD', '2PFD', '3PFD'] }],
    [60_000, { kind: 'round_ended', left: [] }],
    [60_000, { kind: 'ended', scores: [2, 2] }],
  ] as const
  const entries = log.map(([at, event], place) => ({ seq: place + 1, at, event }))
  const story = raceStory(entries as never)

  test('looking ends with the call and begins with what is new to see', () => {
    expect(story.finds.map(({ seat, searched }) => [seat, searched])).toEqual([
      [0, 4000],
      [0, 10_000],
      [1, 1500],
      [1, 1000],
    ])
    expect(quickest(story.finds)).toMatchObject({ seq: 11, seat: 1 })
    expect(longest(story.finds)).toMatchObject({ seq: 6, seat: 0 })
  })

  test('waiting for the next round is no time of play', () => {
    expect(story.time).toBe(51_000)
    expect(story.finds.at(-1)!.at).toBe(31_000)
    expect(paceOf(story, 0)).toBeCloseTo((2 * 60) / 51)
  })

  test('what was called in vain is kept', () => {
    expect(story.misses).toEqual([{ seq: 5, seat: 1, at: 8000 }])
  })

  test('nothing found is nothing wrong', () => {
    const empty = raceStory([])
    expect(empty).toEqual({ time: 0, finds: [], misses: [] })
    expect([quickest([]), longest([]), paceOf(empty, 0)]).toEqual([undefined, undefined, 0])
  })

  test.each(['card_game', 'chain_game', 'ultra_game', 'ghost_game', 'junior_game'] as const)('%s', async (name) => {
    const record = readRecord(vectors[name].record)
    const states = statesOf(record, await loadGame(record.game))
    const { finds, time } = raceStory(record.log)
    const taken = (states.at(-1) as unknown as { taken: number[] }).taken
    expect(taken.map((_, seat) => finds.filter((find) => find.seat === seat).length)).toEqual(taken)
    expect(finds.every(({ searched, at }) => searched >= 0 && at <= time)).toBe(true)
  })
})

describe('how a game of dice went', () => {
  test('the points of the turns are the result, and SETs and bonus are all of them', async () => {
    const record = readRecord(vectors.cubed_game.record)
    const states = statesOf(record, await loadGame(record.game)) as unknown as CubedState[]
    const entries = record.log as { seq: number; at: number; event: CubedEvent }[]
    const turns = turnsOf({ entries, states })
    const totals = record.seats.map((_, seat) =>
      turns.filter((turn) => turn.seat === seat).reduce((sum, { points }) => sum + points, 0),
    )
    expect(totals).toEqual(record.result)
    expect(record.seats.map((_, seat) => turns.findLast((turn) => turn.seat === seat)?.total)).toEqual(record.result)
    for (const { points, marks, bonus, wild } of turns) {
      expect(marks.reduce((sum, mark) => sum + mark.points, 0) + bonus).toBe(points)
      expect(wild).toBeGreaterThanOrEqual(0)
    }
    expect(turns.some(({ wild }) => wild > 0)).toBe(true)
    expect(bestTurn(turns)!.points).toBe(Math.max(...turns.map(({ points }) => points)))
    expect(bestTurn([])).toBeUndefined()
  })
})

test('why a game of dice ended although everybody had dice', async () => {
  await speak('en')
  for (const words of ['cubed', 'after']) await speakOf(words)
  const { default: after } = (await (await loadGame('cubed')).after()) as { default: AfterGame }
  const record = readRecord(vectors.cubed_game.record)
  const rules = await loadGame(record.game)
  const states = statesOf(record, rules) as unknown as CubedState[]
  const summary = (last: CubedState) =>
    after.summary({ entries: record.log, states: [...states.slice(0, -1), last], names: record.seats, seat: 0, words: () => ({ text: '', signs: [] }) } as unknown as Story)
  const end = states.at(-1)!
  const held = { ...end, hands: end.hands.map(() => [{ number: 1, face: '1RO', wild: false }]) }
  expect(summary(end)).toHaveLength(2)
  expect(summary({ ...held, idle_rounds: 3 }).at(-1)).toBe('over: nobody laid for three rounds')
  expect(summary({ ...held, rethrows: 20 }).at(-1)).toBe('over: nobody could lay any more')
})

describe('charts', () => {
  test('levels are whole numbers that hold both ends', () => {
    expect(niceTicks(0, 1)).toEqual([0, 1])
    expect(niceTicks(0, 25)).toEqual([0, 5, 10, 15, 20, 25])
    expect(niceTicks(-3, 9)).toEqual([-5, 0, 5, 10])
    expect(niceTicks(0, 137)).toEqual([0, 50, 100, 150])
    for (let high = 1; high < 700; high++) {
      const ticks = niceTicks(0, high)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high)
      expect(ticks.length).toBeLessThanOrEqual(7)
    }
  })

  test('labels do not touch each other', () => {
    const at = (...places: number[]) => places.map((x, place) => ({ x, label: String(place + 8) }))
    expect(legible(at(0, 20, 40)).map(({ label }) => label)).toEqual(['8', '9', '10'])
    expect(legible(at(0, 8, 16, 20, 40)).map(({ label }) => label)).toEqual(['8', '10', '12'])
    expect(legible([])).toEqual([])
  })

  test('times are few and even', () => {
    expect(timeTicks(0)).toEqual([])
    expect(timeTicks(230_000).map(({ label }) => label)).toEqual(['1:00', '2:00', '3:00'])
    expect(timeTicks(90_000_000).length).toBeLessThanOrEqual(6)
    expect([clockTime(0), clockTime(61_999), clockTime(3_723_000)]).toEqual(['0:00', '1:01', '1:02:03'])
  })

  test('tokens at the ends of lines do not cover one another', () => {
    const moved = apart([50, 50, 52, 10], 20, [10, 110])
    const sorted = [...moved].sort((a, b) => a - b)
    expect(moved[3]).toBe(10)
    for (let place = 1; place < sorted.length; place++) expect(sorted[place]! - sorted[place - 1]!).toBeGreaterThanOrEqual(20)
    expect(Math.max(...apart(Array<number>(8).fill(100), 22, [11, 179]))).toBeLessThanOrEqual(179)
    expect(apart([5], 20, [10, 110])).toEqual([10])
  })

  test('a step goes along first, and then up', () => {
    const spots = [{ x: 0, y: 10 }, { x: 5, y: 4 }]
    expect(lineThrough(spots, true)).toBe('M0.0 10.0H5.0V4.0')
    expect(lineThrough(spots, false)).toBe('M0.0 10.0L5.0 4.0')
  })
})

describe('coming to a table', () => {
  test.each([' k7q xrm ', 'K7Q-XRM', 'k7q%20xrm', 'https://play.example/t/K7QXRM/?watch#x', 'K7Q\u2013XRM', '(https://play.example/t/K7QXRM).', '“K7QXRM”,'])('the code in %j', (text) => {
    expect(readCode(text)).toBe('K7QXRM')
  })

  test('what is no code is not taken for one', () => {
    expect([readCode(''), readCode('  /  '), readCode('%E0%A4%A')]).toEqual(['', '', '%E0%A4%A'])
  })

  const free = { person: null, bot: null }
  const bot = { person: null, bot: 'casual' }
  const ada = { person: 'a', bot: null }
  const at = (phase: string, seats: object[], more: object = {}, game: object | null = null) =>
    seatsToTake({ table: { phase, seats, late_join: true, start: null, ...more }, game } as unknown as Connection)

  test('open seats before a game, and those of bots in it', () => {
    expect(at('gathering', [ada, free, bot])).toEqual([1])
    expect(at('gathering', [ada, free], { start: {} })).toEqual([])
    expect(at('playing', [ada, bot, bot])).toEqual([1, 2])
    expect(at('playing', [ada, bot], { late_join: false })).toEqual([])
    expect(at('playing', [ada, bot, bot], { late_join: false }, { own_seat: 2 })).toEqual([2])
    expect(at('closed', [free])).toEqual([])
  })

  test('in a race one more while there is room, alone none', () => {
    expect(at('gathering', [ada, ada], { run: { kind: 'race' } })).toEqual([2])
    expect(at('gathering', Array<object>(RUNS.race.seats).fill(ada), { run: { kind: 'race' } })).toEqual([])
    expect(at('gathering', [ada], { run: { kind: 'sprint' } })).toEqual([])
  })
})
