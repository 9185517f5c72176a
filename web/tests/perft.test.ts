/** The site's rules count what the perft files say; see tests/perft/README.md. */

import { expect, test } from 'vitest'
import tables from '../../tests/perft/cards.json'
import positions from '../../tests/perft/dice.json'
import answered from '../../tests/perft/replies.json'
import { editionOf, type Edition } from '../src/editions/editions'
import { cellOf, runsThrough, squareOf } from '../src/editions/squares'
import { canLay, judge, LAY_LIMIT, type Board } from '../src/games/cubed/turns'
import { variantOf } from '../src/games/set/variants'
import { optionsOf, usual } from '../src/options'
import type { CardOptions, CubedPlacement as Placement, Die } from '../src/protocol'
import { ALL_FACES, third, WILD } from '../src/sets'

type PlainPosition = (typeof positions | typeof answered)[number]['position']
type Laid = Required<Pick<Placement, 'square' | 'face' | 'wild'>>

interface Position {
  edition: Edition
  board: Board
  hand: readonly string[]
}

/** Six of many cards are too many to try one by one. */
const GHOST_LIMIT = 15

test('groups of every table', () => {
  const variant = (name: string) => variantOf({ ...usual(optionsOf('set')), variant: name } as Required<CardOptions>)
  const [set, chain, ultra, ghost] = ['classic', 'chain', 'ultra', 'ghost'].map(variant)
  for (const entry of tables) {
    const [table, last] = [entry.table.split(' '), entry.last.split(' ')]
    expect(set!.groups(table, last)).toHaveLength(entry.set)
    expect(chain!.groups(table, last)).toHaveLength(entry.chain)
    expect(ultra!.groups(table, last)).toHaveLength(entry.ultra)
    if (table.length <= GHOST_LIMIT) expect(ghost!.groups(table, last)).toHaveLength(entry.ghost)
  }
}, 120_000)

test('turns of every position', () => {
  for (const { position: plain, ...counted } of positions) {
    const position = read(plain)
    const turns = turnsOf(position)
    expect(counts(position, turns)).toEqual(counted)
    expect(canLay(position.edition, position.board, dice(position.hand))).toBe(turns.length > 0)
  }
}, 120_000)

test('turns at depth two', () => {
  for (const { position: plain, reply, replies, ...counted } of answered) {
    const position = read(plain)
    const turns = turnsOf(position)
    expect(counts(position, turns)).toEqual(counted)
    const answers = turns.map((turn) => {
      const after = { ...position, board: lay(position, turn), hand: reply }
      return counts(after, turnsOf(after))
    })
    expect({
      turns: [0, 1, 2].map((place) => sum(answers.map(({ turns }) => turns[place]!))),
      best: Math.max(0, ...answers.map(({ best }) => best)),
      sum: sum(answers.map((answer) => answer.sum)),
    }).toEqual(replies)
  }
}, 120_000)

function read({ edition: named, board: lying, hand, wild }: PlainPosition): Position {
  const house = editionOf('house')
  const layout =
    typeof named === 'string'
      ? house.layout
      : { rows: named.size[0]!, cols: named.size[1]!, logo: [], bonus: named.bonus as Record<string, number> }
  const board = Array<Die | null>(layout.rows * layout.cols).fill(null)
  for (const [square, text] of Object.entries(lying as Record<string, string>))
    board[cellOf(layout, square)] = { number: 0, face: text.replace('*', ''), wild: text.startsWith('*') }
  return { edition: { ...house, layout, wild: wild as Edition['wild'] }, board, hand }
}

const dice = (hand: readonly string[]): Die[] => hand.map((face, place) => ({ number: place + 1, face, wild: false }))

function lay({ edition, board }: Position, turn: readonly Laid[]): Board {
  const after = [...board]
  for (const { square, face, wild } of turn) after[cellOf(edition.layout, square)] = { number: 0, face, wild }
  return after
}

/** What finishes one SET with dice that lie: one die or two. Every legal turn is made of such parts. */
function partsOf({ edition: { layout }, board, hand }: Position): Laid[][] {
  const known = hand.filter((face) => face !== WILD)
  const wilds = hand.length - known.length
  const shown = (square: string, face: string): Laid[] => [
    ...(known.includes(face) ? [{ square, face, wild: false }] : []),
    ...(wilds ? [{ square, face, wild: true }] : []),
  ]
  const runs = new Map(board.flatMap((_, cell) => runsThrough(layout, cell)).map((run) => [run.join(), run]))
  return [...runs.values()].flatMap((run): Laid[][] => {
    const lying = run.flatMap((cell) => board[cell]?.face ?? [])
    const free = run.filter((cell) => !board[cell]).map((cell) => squareOf(layout, cell))
    if (lying.length === 2) return shown(free[0]!, third(lying[0]!, lying[1]!)).map((die) => [die])
    if (lying.length !== 1) return []
    return ALL_FACES.flatMap((face) =>
      shown(free[0]!, face).flatMap((one) => shown(free[1]!, third(lying[0]!, face)).map((two) => [one, two])),
    )
  })
}

/** Every legal turn once: parts put together, as far as there are dice for them. */
function turnsOf(position: Position): Laid[][] {
  const parts = partsOf(position)
  const found = new Map<string, Laid[]>()
  let last: Laid[][] = [[]]
  while (last.length) {
    const next: Laid[][] = []
    for (const turn of last)
      for (const part of parts) {
        const joined = join(turn, part)
        const key = joined?.map(({ square, face, wild }) => `${square}${face}${wild}`).join(' ')
        if (!joined || !key || found.has(key) || !suffices(position.hand, joined)) continue
        found.set(key, joined)
        next.push(joined)
      }
    last = next
  }
  return [...found.values()]
}

/** Both together in the order of their squares, or null if they do not go together. */
function join(turn: readonly Laid[], part: readonly Laid[]): Laid[] | null {
  const joined = [...turn]
  for (const die of part) {
    const there = turn.find(({ square }) => square === die.square)
    if (there && (there.face !== die.face || there.wild !== die.wild)) return null
    if (!there) joined.push(die)
  }
  if (joined.length > LAY_LIMIT) return null
  return joined.sort((a, b) => (a.square < b.square ? -1 : 1))
}

function suffices(hand: readonly string[], turn: readonly Laid[]): boolean {
  const left = [...hand]
  return turn.every(({ face, wild }) => {
    const place = left.indexOf(wild ? WILD : face)
    if (place >= 0) left.splice(place, 1)
    return place >= 0
  })
}

function counts({ edition, board }: Position, turns: readonly Laid[][]) {
  const judged = turns.map((turn) => judge(edition, board, turn))
  expect(judged.flatMap(({ problems }) => problems)).toEqual([])
  const scores = judged.map(({ setPoints, bonus }) => setPoints + bonus)
  return {
    turns: [1, 2, 3].map((size) => turns.filter(({ length }) => length === size).length),
    best: Math.max(0, ...scores),
    sum: sum(scores),
  }
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
