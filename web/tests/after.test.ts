import { describe, expect, test } from 'vitest'
import { loadGame } from '../src/games'
import type { CubedEvent, CubedState } from '../src/protocol'
import { bestTurn, turnsOf } from '../src/games/cubed/story'
import { longest, paceOf, quickest, raceStory } from '../src/games/racestory'
import { readRecord, statesOf } from '../src/record'
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
