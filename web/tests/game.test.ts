import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { editionOf } from '../src/editions/editions'
import { commit, commitSecret, newSecret, Seeded, sha256 } from '../src/fairness'
import { loadGame } from '../src/games'
import type { GameState } from '../src/games/module'
import { checkFairness, compare, readRecord, statesOf } from '../src/record'
import { ALL_CARDS, ALL_FACES, explain, findSets, isSet, third } from '../src/sets'
import { cellOf, rowCol, squareAt } from '../src/editions/squares'
import { canLay, facesForWild, judge, openingFaces, squaresFor } from '../src/games/cubed/turns'
import { layOut, nextPlace } from '../src/games/scramble/layout'
import { whyNoGroup } from '../src/games/set/words'
import { variantOf } from '../src/games/set/variants'
import { speak, speakOf } from '../src/language.svelte'
import { optionsOf, usual } from '../src/options'
import type { CardOptions, CubedPlacement as Placement, Die } from '../src/protocol'
import { ARROWS } from '../src/table/keys'
import vectors from './vectors.json'

const WHOLE_GAMES = ['card_game', 'chain_game', 'ultra_game', 'ghost_game', 'shuffle_game', 'junior_game', 'cubed_game'] as const

beforeAll(async () => {
  await speak('en')
  await speakOf('set')
})

/** Sets of seats come in any order. */
function settled(state: object): unknown {
  const sorted = { ...state } as Record<string, unknown>
  for (const key of ['none', 'locked', 'barred', 'answered', 'away'])
    if (Array.isArray(sorted[key])) sorted[key] = [...(sorted[key] as number[])].sort()
  return sorted
}

function boardOf(lying: Record<string, string>): (Die | null)[] {
  const { layout } = editionOf('house')
  const board = Array<Die | null>(81).fill(null)
  for (const [square, text] of Object.entries(lying))
    board[cellOf(layout, square)] = { number: 0, face: text.replace('*', ''), wild: text.startsWith('*') }
  return board
}

describe('what a SET is', () => {
  test('S5 any two have exactly one third', () => {
    expect(new Set(ALL_CARDS).size).toBe(81)
    for (const a of ALL_CARDS) for (const b of ALL_CARDS) expect(third(a, third(a, b))).toBe(b)
    expect(ALL_FACES).toHaveLength(27)
  })

  test('S4 every check says the same as the Python rules', () => {
    for (const { signs, why } of vectors.explanations) {
      const ours = explain(signs[0]!, signs[1]!, signs[2]!)
      const theirs = why.features.map(({ odd_one, ...check }: Record<string, unknown>) =>
        odd_one === undefined ? check : { ...check, oddOne: odd_one },
      )
      expect(ours).toEqual({ isSet: why.is_set, features: theirs })
      expect(isSet(signs[0]!, signs[1]!, signs[2]!)).toBe(why.is_set)
    }
  })

  test('every SET on a table is found', () => {
    for (const { cards, sets } of vectors.tables)
      expect(findSets(cards).map((places) => places.map((place) => cards[place]))).toEqual(sets)
  })
})

test.each(vectors.groups)('V1 what can be taken: $variant, $table.length cards', ({ variant, table, last, groups, shown }) => {
  const options = { ...usual(optionsOf('set')), variant } as Required<CardOptions>
  const { isGroup, groups: find, size } = variantOf(options)
  const inOrder = (found: string[][]) => found.map((cards) => [...cards].sort().join(' ')).sort()
  expect(inOrder(find(table, last))).toEqual(inOrder(groups as string[][]))
  for (const cards of groups as string[][]) expect([isGroup(cards), cards.length]).toEqual([true, size])
  for (const { cards, is_group } of shown) {
    expect(isGroup(cards)).toBe(is_group)
    expect(Boolean(whyNoGroup(cards))).toBe(!is_group)
  }
})

test('squares have a name and a place', () => {
  expect(squareAt(4, 4)).toBe('e5')
  expect(squareAt(0, 27)).toBe('ab1')
  expect(rowCol('ab1')).toEqual({ row: 0, col: 27 })
})

describe('turns with dice', () => {
  test('every turn is judged as by the Python rules', () => {
    for (const { board, turn, wild, answer } of vectors.turns) {
      const edition = { ...editionOf('house'), wild: wild as 'later' | 'never' }
      const ours = judge(edition, boardOf(board as unknown as Record<string, string>), turn as Placement[])
      if ('code' in answer) {
        expect(ours.problems).toContainEqual(expect.objectContaining({ code: answer.code, square: answer.square }))
      } else {
        expect(ours.problems).toEqual([])
        expect([ours.setPoints, ours.bonus]).toEqual([answer.set_points, answer.bonus])
        expect(ours.sets.map(({ squares }) => squares)).toEqual(
          expect.arrayContaining(answer.sets!.map(({ squares }) => squares)),
        )
      }
    }
  })

  test('the worked example scores 6, 9, 12', () => {
    expect(vectors.turns.slice(0, 3).map(({ answer }) => answer.set_points)).toEqual([6, 9, 12])
  })

  test('a wild is offered only the faces that make a SET', () => {
    const board = boardOf({ d5: '1RO', e5: '2RO', f5: '3RO' })
    expect(facesForWild(editionOf('house'), board, [], 'g5')).toEqual(['1RO'])
    expect(facesForWild(editionOf('house'), board, [], 'a1')).toEqual([])
  })

  test('a die is invited where it makes a SET, and onto a wild that stands for it', () => {
    const house = editionOf('house')
    const board = boardOf({ d5: '1RO', e5: '*2RO' })
    expect([...squaresFor(house, board, [], '3RO')].sort()).toEqual(['c5', 'f5'])
    expect([...squaresFor(house, board, [], '2RO')]).toEqual(['e5'])
    expect([...squaresFor(house, board, [{ square: 'd4', face: '1GO' }], '2RO')]).toEqual([])
    expect([...squaresFor(house, board, [{ square: 'd4', face: '1GO' }], '1PO')].sort()).toEqual(['d3', 'd6'])
    expect([...squaresFor(house, board, [], 'W')].sort()).toEqual(['c5', 'f5'])
  })

  test('C5 wilds of the opening SET stand for what makes it one', () => {
    const wild = (face: string) => ({ face, wild: true })
    const plain = (face: string) => ({ face, wild: false })
    expect(openingFaces(['1RO', '2RO', '3RO'])).toEqual(['1RO', '2RO', '3RO'].map(plain))
    expect(openingFaces(['1RO', 'W', '2RO'])).toEqual([plain('1RO'), wild('3RO'), plain('2RO')])
    expect(openingFaces(['W', '1RO', 'W'])).toEqual([wild('1RO'), plain('1RO'), wild('1RO')])
    expect(openingFaces(['W', 'W', 'W'])).toEqual(['1RD', '1RD', '1RD'].map(wild))
  })

  test('C12 whether a hand can lay', () => {
    const board = boardOf({ d5: '1RO', e5: '2RO', f5: '3RO' })
    const hand = (...faces: string[]) => faces.map((face, number) => ({ number, face, wild: false }))
    expect(canLay(editionOf('house'), board, hand('1RO'))).toBe(true)
    expect(canLay(editionOf('house'), board, hand('W'))).toBe(true)
    expect(canLay(editionOf('house'), board, hand('1GO', '1PO'))).toBe(true)
    expect(canLay(editionOf('house'), board, hand('1GD', '1GS'))).toBe(false)
  })
})

describe('fairness', () => {
  test('F1 chance is the same number as in Python', async () => {
    for (const { seed, terms, commitment, secret_commitment, secrets, count, label, number } of vectors.chances) {
      expect(commit(seed, terms)).toBe(commitment)
      if (secrets[1]) expect(commitSecret(secrets[1], terms)).toBe(secret_commitment)
      expect(new Seeded(seed, secrets).below(count, label)).toBe(number)
    }
  })

  test('our SHA-256 is the one that everybody has, at every length around a block', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, place) => (place * 37 + length) % 256)
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
    expect(newSecret()).toMatch(/^[0-9a-f]{64}$/)
    expect(newSecret()).not.toBe(newSecret())
  })

  test.each(WHOLE_GAMES)('F4 what was promised is compared, and the own secret is looked for: %s', (name) => {
    const record = readRecord(vectors[name].record)
    const { terms, commitment, commitments, called_off } = record
    const seat = record.secrets.findIndex((secret) => secret !== '')
    const promise = { terms, commitment, commitments, called_off, seat: seat < 0 ? null : seat, secret: record.secrets[seat] ?? '' }
    const mine = seat < 0 ? 'open' : 'proved'
    expect(compare(record, promise)).toEqual({ promised: 'proved', secret: mine })
    expect(compare(record, undefined)).toEqual({ promised: 'open', secret: 'open' })
    expect(compare(record, { ...promise, commitment: '00'.repeat(32) })).toEqual({ promised: 'wrong', secret: mine })
    expect(compare(record, { ...promise, called_off: 1 })).toMatchObject({ promised: 'wrong' })
    expect(compare(record, { ...promise, seat: 0, secret: '11'.repeat(32) })).toMatchObject({ secret: 'wrong' })
  })

  test.each(WHOLE_GAMES)('a whole record is checked: %s', async (name) => {
    const record = readRecord(vectors[name].record)
    const rules = await loadGame(record.game)
    const finding = await checkFairness(record, rules, () => {})
    expect(finding).toMatchObject({ fair: true })
    expect((finding as { checked: number }).checked).toBeGreaterThan(20)
    const other = { ...record, seed: '00'.repeat(32) }
    expect(await checkFairness(other, rules, () => {})).toEqual({ fair: false, why: 'wrong_seed' })
    const added = { secrets: ['11'.repeat(32)], commitments: [commitSecret('11'.repeat(32), record.terms)] }
    expect(await checkFairness({ ...record, ...added }, rules, () => {})).toMatchObject({ why: 'wrong_chance' })
    expect(await checkFairness({ ...record, secrets: added.secrets }, rules, () => {})).toMatchObject({ why: 'wrong_secret' })
    expect(await checkFairness({ ...record, result: [99] }, rules, () => {})).toEqual({ fair: false, why: 'wrong_result' })
  })
})

describe('replay', () => {
  test.each(WHOLE_GAMES)('F3 a whole game comes to the same states: %s', async (name) => {
    const { record: text, states: wanted, last } = vectors[name]
    const record = readRecord(text)
    const states = statesOf(record, await loadGame(record.game)).slice(1)
    const step = Math.max(1, Math.floor(states.length / 25))
    // Python writes an edition in full; a record names it.
    const named = (state: { options: object }) => settled('edition' in state.options ? { ...state, options: null } : state)
    wanted.forEach((state, place) => expect(named(states[place * step]!)).toEqual(named(state)))
    expect(named(states.at(-1)!)).toEqual(named(last))
  })
})

/** A state as `tests/web/vectors.py` prints it. */
function print(state: object): string {
  const inOrder = (_: string, value: unknown): unknown =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  const text = JSON.stringify(settled({ ...state, options: null }), inOrder)
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

test.each(Object.entries(vectors.away_games))('T1 people come and go: %s', async (_, { record: text, prints }) => {
  const record = readRecord(text)
  const rules = await loadGame(record.game)
  const states = statesOf(record, rules)
  expect(states.slice(1).map(print)).toEqual(prints)
  expect(record.log.some(({ event }) => event.kind === 'stepped_away')).toBe(true)
  expect(await checkFairness(record, rules, () => {})).toMatchObject({ fair: true })
  for (const state of states as (GameState & { away: number[]; phase: string })[])
    if (state.phase === 'extra_roll' || state.phase === 'play')
      expect(rules.awaited(state).filter((seat) => state.away.includes(seat) && state.away.length < record.seats.length)).toEqual([])
})

test.each(Object.entries(vectors.puzzle_games))('Z1 puzzles come to the same states: %s', async (_, { record: text, prints }) => {
  const record = readRecord(text)
  const states = statesOf(record, await loadGame(record.game))
  // The site keeps the points by seat besides.
  const told = states.slice(1).map(({ round: _round, scores: _scores, ...state }) => print(state as unknown as GameState))
  expect(told).toEqual(prints)
})

describe('Scramble', () => {
  const games = Object.entries(vectors.scramble_games)

  test.each(games)('F3 every state of a whole game is the same: %s', async (_, { record: text, prints }) => {
    const record = readRecord(text)
    const states = statesOf(record, await loadGame(record.game)).slice(1)
    expect(states.map(print)).toEqual(prints)
  })

  test.each(games)('every throw follows from the seed: %s', async (_, { record: text }) => {
    const record = readRecord(text)
    const rules = await loadGame(record.game)
    const rounds = record.log.filter(({ event }) => event.kind === 'thrown').length
    expect(await checkFairness(record, rules, () => {})).toEqual({ fair: true, checked: rounds * 84, brokenOff: false })
    const added = { secrets: ['11'.repeat(32)], commitments: [commitSecret('11'.repeat(32), record.terms)] }
    expect(await checkFairness({ ...record, ...added }, rules, () => {})).toMatchObject({ why: 'wrong_chance' })
    expect(await checkFairness({ ...record, secrets: added.secrets }, rules, () => {})).toMatchObject({ why: 'wrong_secret' })
  })

  test('dice lie in a full rectangle, as large as they can', () => {
    expect(layOut(42, 374, 580)).toEqual({ columns: 6, rows: 7, side: 57, gap: 5 })
    expect(layOut(42, 980, 680)).toEqual({ columns: 7, rows: 6, side: 104, gap: 10 })
    expect(layOut(42, 1200, 260)).toMatchObject({ columns: 14, rows: 3 })
  })

  test('arrow keys pass over gaps and reach every die', () => {
    const lies = [true, false, true, false, true, false, true, false, true]
    expect(nextPlace(lies, 3, 0, [0, 1])).toBe(2)
    expect(nextPlace(lies, 3, 2, [0, 1])).toBe(4)
    expect(nextPlace(lies, 3, 4, [0, -1])).toBe(2)
    expect(nextPlace(lies, 3, 0, [1, 0])).toBe(6)
    expect(nextPlace(lies, 3, 8, [0, 1])).toBe(8)
    const reached = new Set([0])
    for (const place of reached)
      for (const step of Object.values(ARROWS)) reached.add(nextPlace(lies, 3, place, step))
    expect([...reached].sort()).toEqual([0, 2, 4, 6, 8])
  })
})
