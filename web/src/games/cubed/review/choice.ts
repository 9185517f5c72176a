/** The choices of a review: read from their text, and laid on the board. */

import { editionOf } from '../../../editions/editions'
import type { Square } from '../../../editions/squares'
import type { CubedCommand, CubedPlacement as Placement, CubedReviewDecision as Decision, CubedState, Die } from '../../../protocol'
import type { Lying } from '../Board.svelte'
import { lyingOn } from '../lying'
import type { Mark } from '../marks'
import { judge } from '../turns'

export type Choice =
  | { kind: 'pass' }
  | { kind: 'lay'; placements: Placement[] }
  | { kind: 'replace'; square: Square; die: number }
  /** The faces of the dice that are thrown; none if all are kept. */
  | { kind: 'throw'; faces: string[] }

export function readChoice(text: string): Choice {
  if (text === 'pass') return { kind: 'pass' }
  if (text === 'keep all') return { kind: 'throw', faces: [] }
  if (text.startsWith('throw ')) return { kind: 'throw', faces: text.split(' ').slice(1) }
  const [, square, die] = /^replace (\w+) by #(\d+)$/.exec(text) ?? []
  if (square) return { kind: 'replace', square, die: Number(die) }
  const placements = text.split(' ').map((part): Placement => {
    const [, star, face, on] = /^(\*?)(\w+)@(\w+)$/.exec(part) ?? []
    return { square: on ?? '', face: face ?? '', wild: star === '*' }
  })
  return { kind: 'lay', placements }
}

/** The same for choices that are the same: dice of one face are as good as each other. */
export function nameOf(choice: Choice): string {
  switch (choice.kind) {
    case 'pass':
      return 'pass'
    case 'throw':
      return `throw ${choice.faces.toSorted().join(' ')}`
    case 'replace':
      return `replace ${choice.square} ${choice.die}`
    case 'lay':
      return choice.placements
        .map(({ square, face, wild }) => `${wild ? '*' : ''}${face}@${square}`)
        .sort()
        .join(' ')
  }
}

/** A command of the table as a choice. */
export function choiceOf(command: CubedCommand, hand: readonly Die[]): Choice {
  switch (command.do) {
    case 'lay':
    case 'show':
      return { kind: 'lay', placements: command.placements ?? [] }
    case 'replace':
      return { kind: 'replace', square: command.square, die: command.die }
    case 'choose':
      return { kind: 'throw', faces: hand.filter(({ number }) => command.dice?.includes(number)).map(({ face }) => face) }
    default:
      return { kind: 'pass' }
  }
}

/** What a choice is about: dice that are laid or thrown. */
export function signsOf(choice: Choice, hand: readonly Die[]): string[] {
  switch (choice.kind) {
    case 'pass':
      return []
    case 'throw':
      return choice.faces
    case 'replace':
      return hand.filter(({ number }) => number === choice.die).map(({ face }) => face)
    case 'lay':
      return choice.placements.map(({ face, wild }) => (wild ? `*${face}` : face))
  }
}

export interface Picture {
  dice: ReadonlyMap<Square, Lying>
  marks: readonly Mark[]
  fresh: ReadonlySet<Square>
}

/** The board as it would lie after a choice, with the SETs that it makes. */
export function pictureOf(state: CubedState, { seat, kind }: Pick<Decision, 'seat' | 'kind'>, choice: Choice, points: number): Picture {
  const edition = editionOf(state.options.edition)
  const dice = new Map<Square, Lying>(lyingOn(state))
  if (choice.kind === 'replace') {
    const die = state.hands[seat]!.find(({ number }) => number === choice.die)
    if (die) dice.set(choice.square, { face: die.face, wild: false, fresh: true })
    return { dice, marks: [], fresh: new Set([choice.square]) }
  }
  if (choice.kind !== 'lay') return { dice, marks: [], fresh: new Set() }
  const squares = choice.placements.map(({ square }) => square)
  for (const { square, face, wild = false } of choice.placements) dice.set(square, { face, wild, fresh: true })
  const sets = kind === 'opening' ? [{ squares, points }] : judge(edition, state.board, choice.placements).sets
  return { dice, fresh: new Set(squares), marks: sets.map((set) => ({ squares: set.squares, points: set.points, seat })) }
}

/** The numbers of dice in hand that show these faces, each die once. */
export function numbersOf(hand: readonly Die[], faces: readonly string[]): number[] {
  const open = [...faces]
  return hand.flatMap(({ number, face }) => {
    const place = open.indexOf(face)
    if (place < 0) return []
    open.splice(place, 1)
    return [number]
  })
}
