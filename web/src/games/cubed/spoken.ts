/** The dice table for those who do not see it. */

import { editionOf } from '../../editions/editions'
import { squareOf, type Square } from '../../editions/squares'
import { m } from '../../language.svelte'
import type { CubedPlacement as Placement, CubedState, Die } from '../../protocol'
import { endedNews, type News } from '../../table/news'
import { nameIn } from '../../table/racewords'
import { describe, describeLying } from '../../words'
import type { Place } from '../module'
import type { Scene } from './scenes'
import { sceneNews } from './words'

const placed = ({ square, face, wild }: Placement): string => `${square}: ${describeLying(face, wild ?? false)}`

/** Dice with the squares on which they lie, or should. */
export const placedText = (placements: readonly Placement[]): string => placements.map(placed).join('; ')

/** "Your dice: 1: 2, green, squiggle; 2: wild."; of dice whose faces are `known` by their numbers, nothing. */
export function handText(hand: readonly Die[], known: ReadonlyMap<number, string> = new Map()): string {
  const news = hand.flatMap(({ number, face }, place) => (known.get(number) === face ? [] : [`${place + 1}: ${describe(face)}`]))
  return news.length ? `${m.your_dice()}: ${news.join('; ')}.` : ''
}

/** The round, how much lies there and is left, and who is on turn. */
export function stageText({ state, seat, names }: Place<CubedState>): string {
  const lying = state.board.filter((die) => die !== null).length
  const turn =
    state.turn === null ? '' : state.turn === seat ? `${m.your_turn()}.` : m.turn_of({ name: nameIn(names, state.turn) })
  return [
    `${m.round_number({ round: state.round })}.`,
    `${m.dice_on_board({ count: lying })}, ${m.in_bag({ count: state.bag.length })}.`,
    ...(turn ? [turn] : []),
  ].join(' ')
}

/** Every die on the board, and those in one's own hand. */
export function lyingText(state: CubedState, hand: readonly Die[]): string {
  const { layout } = editionOf(state.options.edition)
  const lying = state.board.flatMap((die, cell) => (die ? [placed({ ...die, square: squareOf(layout, cell) })] : []))
  const board = `${m.dice_on_board({ count: lying.length })}${lying.length ? `: ${lying.join('; ')}` : ''}.`
  return [board, handText(hand)].filter(Boolean).join(' ')
}

/** Which die was chosen, and where it fits. */
export function dieText(place: number, face: string, fitting: readonly Square[], guide: string): string {
  const squares = fitting.length ? m.fits_on({ squares: fitting.join(', ') }) : guide
  return `${place + 1}: ${describe(face)}. ${squares}`
}

/** The news of a scene, with what is seen of it in words. */
export function spokenNews(scene: Scene, place: Place<CubedState>): News | null {
  if (scene.kind === 'over') return endedNews(place)
  const news = sceneNews(scene, place)
  if (!news) return null
  switch (scene.kind) {
    case 'turn': {
      const { seat, placements } = scene.event
      const points = m.now_points({ points: m.points({ count: scene.after.scores[seat] ?? 0 }) })
      return { ...news, spoken: seat === place.seat ? points : `${points} ${placedText(placements)}.` }
    }
    case 'passed':
      return { ...news, aside: true }
    default:
      return news
  }
}
