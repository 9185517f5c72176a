import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadGame } from '../src/games'
import type { GameModule, GameState } from '../src/games/module'
import { speak, speakOf } from '../src/language.svelte'
import type { CardState, CubedState } from '../src/protocol'
import type { Running } from '../src/table/connection.svelte'
import type { Connection } from '../src/table/connection.svelte'
import { meanwhile, rememberLeaving, type Meanwhile } from '../src/table/meanwhile'
import { waitingText } from '../src/table/waiting'

let set: GameModule
let cubed: GameModule

beforeAll(async () => {
  await speak('en')
  for (const game of ['set', 'cubed']) await speakOf(game)
  ;[set, cubed] = await Promise.all([loadGame('set'), loadGame('cubed')])
})

const cards = (changes: Partial<CardState>) => ({ ...set.start({}, 3), ...changes }) as unknown as GameState
const dice = (changes: Partial<CubedState>) => ({ ...cubed.start({ edition: 'house' }, 3), ...changes }) as unknown as GameState

describe('who is waited for', () => {
  test('nobody, while nobody has said anything', () => {
    expect(set.awaited(cards({ phase: 'play' }))).toEqual([])
  })

  test('those who have not said that they see none, but for who is away', () => {
    expect(set.awaited(cards({ phase: 'play', none: [0] }))).toEqual([1, 2])
    expect(set.awaited(cards({ phase: 'play', none: [0], away: [2] }))).toEqual([1])
    expect(cubed.awaited(dice({ phase: 'opening', none: [0], barred: [1] }))).toEqual([2])
    expect(cubed.awaited(dice({ phase: 'extra_roll', answered: [1], away: [2] }))).toEqual([0])
  })

  test('whoever deals, and whose turn it is', () => {
    expect(set.awaited(cards({ phase: 'deal', dealer: 1 }))).toEqual([1])
    expect(cubed.awaited(dice({ phase: 'turn', turn: 2, away: [2] }))).toEqual([2])
  })

  test('in words, without oneself, as the language lists names', async () => {
    const at = (state: GameState, seat: number | null) =>
      waitingText({ game: { state, seat }, rules: set, names: ['Ada', 'Ben', 'Cleo'] } as unknown as Connection)
    const asked = cards({ phase: 'play', none: [0] })
    expect(at(asked, 0)).toBe('Waiting for Ben and Cleo.')
    expect(at(asked, 1)).toBe('Waiting for Cleo.')
    expect(at(asked, null)).toBe('Waiting for Ben and Cleo.')
    expect(at(cards({ phase: 'play' }), 0)).toBe('')
    await speak('fi')
    expect(at(asked, 0)).toBe('Odotetaan: Ben ja Cleo.')
    await speak('en')
  })
})

describe('coming back', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    localStorage.clear()
  })

  const told = (all: Meanwhile | null) => all?.map(({ name, points, forYou }) => `${name} ${points}${forYou ? ' for you' : ''}`)
  const took = (seq: number) => ({ seq, at: 0, event: { kind: 'took', seat: 1, cards: ['1RFD', '2RFD', '3RFD'], dealt: [] } })
  const game = (seq: number, scores: number[], seat: number | null = 0): Running =>
    ({
      id: 'g1',
      game: 'set',
      names: ['Ada', 'Ben', 'Cleo'],
      seat,
      own_seat: null,
      seq,
      now: 0,
      state: cards({ scores }),
      entries: Array.from({ length: seq }, (_, place) => took(place + 1)),
    }) as unknown as Running

  test('one is told who has scored', () => {
    rememberLeaving(game(2, [1, 1, 0]))
    vi.advanceTimersByTime(20_000)
    expect(told(meanwhile(game(5, [1, 3, 1]), set))).toEqual(['Ada 0', 'Ben 2', 'Cleo 1'])
  })

  test('and what a bot won in one’s place', () => {
    rememberLeaving(game(2, [1, 1, 0]))
    vi.advanceTimersByTime(20_000)
    const replaced = { ...game(5, [3, 1, 0], null), own_seat: 0 }
    expect(told(meanwhile(replaced, set, ['Casual', 'Ben', 'Cleo']))).toEqual(['Casual 2 for you', 'Ben 0', 'Cleo 0'])
  })

  test('nothing, if nothing happened, or one was hardly gone, or only looked on, or it is another game', () => {
    rememberLeaving(game(2, [1, 1, 0]))
    expect(meanwhile(game(5, [1, 3, 1]), set)).toBeNull()
    vi.advanceTimersByTime(20_000)
    expect(meanwhile(game(2, [1, 1, 0]), set)).toBeNull()
    expect(meanwhile(game(5, [1, 3, 1], null), set)).toBeNull()
    expect(meanwhile({ ...game(5, [1, 3, 1]), id: 'g2' }, set)).toBeNull()
  })

  test('by another browser, since the table noticed that one was away', () => {
    const away = (seq: number, kind = 'stepped_away') => ({ seq, at: 0, event: { kind, seat: 0 } })
    const lying = { ...game(5, [0, 4, 0]), entries: [took(1), away(2), took(3), took(4), took(5)] } as unknown as Running
    expect(told(meanwhile(lying, set))).toEqual(['Ada 0', 'Ben 3', 'Cleo 0'])
    expect(meanwhile({ ...lying, entries: [...lying.entries, away(6, 'came_back')] as unknown as Running['entries'] }, set)).toBeNull()
    expect(meanwhile({ ...lying, seat: 2 }, set)).toBeNull()
  })

  test('nothing, where the browser keeps nothing or something damaged', () => {
    expect(meanwhile(game(5, [1, 3, 1]), set)).toBeNull()
    localStorage.setItem('tercet.left', '{"game": 7')
    expect(meanwhile(game(5, [1, 3, 1]), set)).toBeNull()
  })
})
