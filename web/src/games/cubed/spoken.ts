/** The dice table for those who do not see it. */

import { editionOf } from '../../editions/editions'
import { squareOf, type Square } from '../../editions/squares'
import { m } from '../../language.svelte'
import type { CubedPlacement as Placement, CubedState, Die } from '../../protocol'
import { endedNews, type News } from '../../table/news'
import { describe, describeLying } from '../../words'
import type { Place } from '../module'
import type { Scene, ThrowScene } from './scenes'
import { sceneNews, throwsAgain } from './words'

const placed = ({ square, face, wild }: Placement): string => `${square}: ${describeLying(face, wild ?? false)}`

/** Dice with the squares on which they lie, or should. */
export const placedText = (placements: readonly Placement[]): string => placements.map(placed).join('; ')

/** These dice of a hand, each with the number of its key: "1: 2, green, squiggle; 2: wild". */
const numbered = (hand: readonly Die[], dice: readonly Die[]): string =>
  dice.map((die) => `${hand.indexOf(die) + 1}: ${describe(die.face)}`).join('; ')

/** "Your dice: 1: 2, green, squiggle; 2: wild."; of a hand that was said `before` only what became of it: their keys change. */
export function handText(hand: readonly Die[], before: readonly Die[] = []): string {
  const known = ({ number, face }: Die) => before.some((die) => die.number === number && die.face === face)
  if (!hand.length || (hand.length === before.length && hand.every(known))) return ''
  const [kept, news] = [hand.filter(known), hand.filter((die) => !known(die))]
  if (!kept.length || !news.length) return `${m.your_dice()}: ${numbered(hand, hand)}.`
  return `${m.kept_dice({ dice: numbered(hand, kept) })} ${m.new_dice({ dice: numbered(hand, news) })}`
}

/** The round, and how much lies there and is left. */
export function stageText({ board, round, bag }: CubedState): string {
  const lying = board.filter((die) => die !== null).length
  return `${m.round_number({ round })}. ${m.dice_on_board({ count: lying })}, ${m.in_bag({ count: bag.length })}.`
}

/** Every die on the board, and those in one's own hand. */
export function lyingText(state: CubedState, hand: readonly Die[]): string {
  const { layout } = editionOf(state.options.edition)
  const lying = state.board.flatMap((die, cell) => (die ? [placed({ ...die, square: squareOf(layout, cell) })] : []))
  const board = `${m.dice_on_board({ count: lying.length })}${lying.length ? `: ${lying.join('; ')}` : ''}.`
  return [board, handText(hand)].filter(Boolean).join(' ')
}

/** "Die 1: 2, green, squiggle." */
export const dieName = (place: number, face: string): string => `${m.die_number({ number: place + 1 })}: ${describe(face)}.`

/** Which die was chosen, and where it fits: by itself, and with a second one on so many squares. */
export function dieText(place: number, face: string, fitting: readonly Square[], pairing: number, guide: string): string {
  const squares = fitting.length ? [m.fits_on({ squares: fitting.join(', ') }), ...(pairing ? [m.also_with_another({ count: pairing })] : [])] : [guide]
  return [dieName(place, face), ...squares].join(' ')
}

/** First what oneself has thrown again, whatever it shows now; that others did is told besides. */
function thrownAgain(scene: ThrowScene & { after: CubedState }, { seat, names }: Place): Pick<News, 'said' | 'besides' | 'aside'> {
  const { thrown, after } = scene
  if (!thrown.length) return { aside: true }
  const hand = seat === null ? [] : (after.hands[seat] ?? [])
  const mine = hand.filter(({ number }) => thrown.some(({ die }) => die === number))
  const others = throwsAgain(thrown.filter((one) => one.seat !== seat), names)
  return { said: mine.length ? m.you_threw_again({ dice: numbered(hand, mine) }) : '', besides: others.join(' ') }
}

/** The news of a scene, with what is seen of it in words. */
export function spokenNews(scene: Scene, place: Place<CubedState>): News | null {
  if (scene.kind === 'over') return endedNews(place)
  const news = sceneNews(scene, place)
  if (!news) return null
  switch (scene.kind) {
    case 'turn': {
      const { seat, placements } = scene.event
      const points = m.points({ count: (scene.then ?? scene.after).scores[seat] ?? 0 })
      const others = seat === place.seat ? {} : { besides: `${placedText(placements)}.` }
      if (scene.then) return { ...news, ...others, said: `${m.shown_again()}: ${news.text}`, spoken: m.then_points({ points }) }
      return { ...news, ...others, spoken: m.now_points({ points }) }
    }
    case 'throw':
      return scene.why === 'extra' ? { ...news, ...thrownAgain(scene, place) } : news
    case 'passed':
      return { ...news, aside: scene.event.seat !== place.seat }
    default:
      return news
  }
}
