/** Questions for the drills of the dice game, on small boards. */

import { editionOf, type Edition } from '../../../editions/editions'
import { cellOf, runsThrough, squareOf, type Square } from '../../../editions/squares'
import { answersAround, dealThird, shuffled, type Luck, type Pair } from '../../../learn/questions'
import type { Die } from '../../../protocol'
import { ALL_FACES, third, WILD } from '../../../sets'
import { judge, type Board } from '../turns'
import { bestTurn, legalTurns, type Turn } from './search'

export const SMALL: Edition = {
  name: 'small',
  title: '',
  note: '',
  layout: { rows: 5, cols: 5, logo: ['b3', 'c3', 'd3'], bonus: { a1: 2, e5: 2 } },
  wild: 'later',
  dice: [],
}

const lying = (face: string): Die => ({ number: 0, face, wild: false })
const pick = <T>(all: readonly T[], luck: Luck): T => all[Math.floor(luck() * all.length)]!
const someFaces = (count: number, luck: Luck): string[] => Array.from({ length: count }, () => pick(ALL_FACES, luck))

/** An opening SET on the logo, and what some turns have laid beside it. */
export function dealBoard(luck: Luck, turns = 2): (Die | null)[] {
  const board = Array<Die | null>(SMALL.layout.rows * SMALL.layout.cols).fill(null)
  const put = (square: Square, face: string) => (board[cellOf(SMALL.layout, square)] = lying(face))
  const [a, b] = someFaces(2, luck) as [string, string]
  ;[a, b, third(a, b)].forEach((face, place) => put(SMALL.layout.logo[place]!, face))
  for (let played = 0; played < turns; ) {
    const possible = legalTurns(SMALL, board, someFaces(5, luck))
    if (!possible.length) continue
    for (const { square, face } of pick(possible, luck).laid) put(square, face)
    played++
  }
  return board
}

/** Two dice to be completed; now and then twice the same, which asks for a third of it. */
export function dealThirdDie(luck: Luck): Pair {
  const asked = dealThird(ALL_FACES, luck)
  if (luck() > 0.12) return asked
  const [face] = asked.pair
  return { pair: [face, face], right: face, answers: answersAround(face, ALL_FACES, luck) }
}

export interface BestTurn {
  board: (Die | null)[]
  hand: Die[]
  best: Turn
}

/** A position whose best turn takes more than one die. */
export function dealBestTurn(luck: Luck): BestTurn {
  for (;;) {
    const board = dealBoard(luck)
    const faces = someFaces(4, luck)
    const turns = legalTurns(SMALL, board, faces)
    const most = Math.max(0, ...turns.map(({ points }) => points))
    const withOne = Math.max(0, ...turns.filter(({ laid }) => laid.length === 1).map(({ points }) => points))
    if (most < 5 || most === withOne) continue
    const hand = faces.map((face, place) => ({ number: place + 1, face, wild: false }))
    return { board, hand, best: turns.find(({ points }) => points === most)! }
  }
}

export interface WildToName {
  board: Board
  square: Square
  answers: string[]
  right: string
  points: number
}

/** A square where a wild makes SETs, best where it makes several: one of the answers scores more than all others. */
export function dealWild(luck: Luck): WildToName {
  const found = dealBoard(luck, 3)
  const asked = shuffled([...found.keys()], luck).flatMap((cell) => {
    const board = found.with(cell, null)
    const square = squareOf(SMALL.layout, cell)
    const fitting = runsThrough(SMALL.layout, cell).flatMap((run) => {
      const [a, b] = run.flatMap((other) => board[other]?.face ?? [])
      return a && b ? [third(a, b)] : []
    })
    const points = (face: string) => judge(SMALL, board, [{ square, face, wild: true }]).setPoints
    const scoring = [...new Set(fitting)].map((face) => ({ face, points: points(face) })).sort((a, b) => b.points - a.points)
    const [best] = scoring
    return best ? [{ board, square, scoring, right: best.face, points: best.points }] : []
  })
  const least = luck() < 0.7 ? Math.max(...asked.map(({ points }) => points)) : 1
  const { scoring, ...chosen } = asked.find(({ points }) => points >= least)!
  const less = scoring.filter(({ points }) => points < chosen.points).map(({ face }) => face)
  const others = ALL_FACES.filter((face) => !scoring.some((one) => one.face === face))
  const near = answersAround(chosen.right, others, luck).filter((face) => face !== chosen.right)
  return { ...chosen, answers: shuffled([chosen.right, ...less, ...near].slice(0, 6), luck) }
}

/** Dice that may be thrown again: each with its six faces, and the place of the one that it shows. */
export interface ExtraRoll {
  board: Board
  dice: { faces: readonly string[]; shown: number }[]
}

/** A throw that can be worth it: as the dice lie, they score less than they may. */
export function dealExtraRoll(luck: Luck): ExtraRoll {
  const tame = editionOf('house').dice.filter((faces) => !faces.includes(WILD))
  const dice = shuffled(tame, luck)
    .slice(0, 3)
    .map((faces) => ({ faces, shown: Math.floor(luck() * faces.length) }))
  return { board: dealBoard(luck), dice }
}

/** What the best turn scores on average when these dice are thrown, for every choice of dice, the same in each call. */
export class ExtraRollValues {
  readonly #points: number[] = []
  readonly #size: number

  constructor(readonly asked: ExtraRoll) {
    this.#size = asked.dice.reduce((product, { faces }) => product * faces.length, 1)
  }

  get ready(): boolean {
    return this.#points.length === this.#size
  }

  /** Looks at one more way in which all dice may lie. */
  step(): void {
    let rest = this.#points.length
    const faces = this.asked.dice.map(({ faces }) => {
      const face = faces[rest % faces.length]!
      rest = Math.floor(rest / faces.length)
      return face
    })
    this.#points.push(bestTurn(SMALL, this.asked.board, faces)?.points ?? 0)
  }

  /** The mean over all ways in which those that are not thrown keep their faces. */
  of(thrown: readonly number[]): number {
    const { dice } = this.asked
    const among = this.#points.filter((_, outcome) => {
      let rest = outcome
      return dice.every(({ faces, shown }, place) => {
        const face = rest % faces.length
        rest = Math.floor(rest / faces.length)
        return thrown.includes(place) || face === shown
      })
    })
    return among.reduce((sum, points) => sum + points, 0) / among.length
  }

  /** The choice that scores most on average, and of equal ones the one that throws fewest. */
  best(): number[] {
    const places = [...this.asked.dice.keys()]
    const choices = places.reduce<number[][]>((all, place) => [...all, ...all.map((one) => [...one, place])], [[]])
    return choices
      .sort((a, b) => a.length - b.length)
      .reduce((best, one) => (this.of(one) > this.of(best) + 1e-9 ? one : best))
  }
}
