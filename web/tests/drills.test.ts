import { expect, test } from 'vitest'
import { squareOf } from '../src/editions/squares'
import { dealBestTurn, dealBoard, dealExtraRoll, dealThirdDie, dealWild, ExtraRollValues, SMALL } from '../src/games/cubed/drills/deal'
import { bestTurn, legalTurns, type Laid } from '../src/games/cubed/drills/search'
import { judge, LAY_LIMIT, type Board } from '../src/games/cubed/turns'
import { ALL_FACES, isSet } from '../src/sets'

/** The same luck in every run (mulberry32). */
function luckFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Every way to lay these dice on empty squares, legal or not. */
function* layings(board: Board, hand: readonly string[], from = 0, laid: Laid[] = []): Generator<Laid[]> {
  if (laid.length) yield laid
  if (laid.length === LAY_LIMIT) return
  for (let die = from; die < hand.length; die++)
    for (const cell of board.keys()) {
      const square = squareOf(SMALL.layout, cell)
      if (board[cell] || laid.some((one) => one.square === square)) continue
      yield* layings(board, hand, die + 1, [...laid, { square, face: hand[die]!, wild: false, die }])
    }
}

const nameOf = (laid: readonly Laid[]) => laid.map(({ die, square }) => `${die}${square}`).sort().join()

test('the search finds every legal turn and no other, with the points of the judge', () => {
  for (let seed = 0; seed < 6; seed++) {
    const luck = luckFrom(seed)
    const board = dealBoard(luck, 3)
    const hand = Array.from({ length: 3 }, () => ALL_FACES[Math.floor(luck() * 27)]!)
    const legal = new Map<string, number>()
    for (const laid of layings(board, hand)) {
      const { problems, setPoints, bonus } = judge(SMALL, board, laid)
      if (!problems.length) legal.set(nameOf(laid), setPoints + bonus)
    }
    const found = new Map(legalTurns(SMALL, board, hand).map(({ laid, points }) => [nameOf(laid), points]))
    expect(found).toEqual(legal)
    expect(bestTurn(SMALL, board, hand)?.points ?? 0).toBe(Math.max(0, ...legal.values()))
  }
})

test('a third die makes a SET with the two', () => {
  const luck = luckFrom(1)
  for (let asked = 0; asked < 200; asked++) {
    const { pair, answers, right } = dealThirdDie(luck)
    expect(isSet(...pair, right)).toBe(true)
    expect(answers).toHaveLength(6)
    expect(new Set(answers).size).toBe(6)
    expect(answers.filter((face) => isSet(...pair, face))).toEqual([right])
  }
})

test('the best turn takes more than one die', () => {
  for (let seed = 0; seed < 30; seed++) {
    const { board, hand, best } = dealBestTurn(luckFrom(seed))
    expect(best.laid.length).toBeGreaterThan(1)
    expect(judge(SMALL, board, best.laid).problems).toEqual([])
    expect(bestTurn(SMALL, board, hand.map(({ face }) => face))!.points).toBe(best.points)
  }
})

test('one of the answers for the wild scores more than all others', () => {
  const most = new Set<number>()
  for (let seed = 0; seed < 60; seed++) {
    const { board, square, answers, right, points } = dealWild(luckFrom(seed))
    const scored = (face: string) => judge(SMALL, board, [{ square, face, wild: true }]).setPoints
    expect(points).toBeGreaterThan(0)
    expect(Math.max(...ALL_FACES.map(scored))).toBe(points)
    expect(answers.filter((face) => scored(face) >= points)).toEqual([right])
    expect(new Set(answers).size).toBe(6)
    most.add(points)
  }
  expect(most.size, 'one SET at a time, and several').toBeGreaterThan(1)
})

test('the extra roll is worth what its throws score on average', () => {
  const asked = dealExtraRoll(luckFrom(3))
  const values = new ExtraRollValues(asked)
  while (!values.ready) values.step()
  const shown = asked.dice.map(({ faces, shown }) => faces[shown]!)
  const score = (hand: readonly string[]) => bestTurn(SMALL, asked.board, hand)?.points ?? 0
  expect(values.of([])).toBe(score(shown))
  const thrown = asked.dice[1]!.faces.map((face) => score([shown[0]!, face, shown[2]!]))
  expect(values.of([1])).toBeCloseTo(thrown.reduce((sum, points) => sum + points, 0) / 6)
  for (const choice of [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]])
    expect(values.of(values.best())).toBeGreaterThanOrEqual(values.of(choice) - 1e-9)
})
