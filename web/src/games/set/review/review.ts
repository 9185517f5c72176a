/** A review of the card game, read. */

import type { CardEvent, CardReview, CardReviewLife as Life, CardState, Estimate } from '../../../protocol'
import type { Story } from '../../module'

export type CardStory = Story<CardState, CardEvent>

/** The most likely value and the ends of the interval that holds the true one 19 times in 20. */
export const rangeOf = ({ log, deviation }: Estimate): [number, number, number] =>
  [0, -1.96, 1.96].map((sigmas) => Math.exp(log + sigmas * deviation)) as [number, number, number]

/** A player of speed 1 needs so many seconds for a SET that differs in two features (`tercet.difficulty`). */
const USUAL_SECONDS = 3.7 * Math.exp(0.35)

/** The same for what is looked for in this game: where that is no SET, the median of all that lay there. */
function usualOf({ lives }: CardReview): number {
  if (lives.every(({ cards }) => cards.length === 3)) return USUAL_SECONDS
  const sorted = lives.map(({ difficulty }) => difficulty).sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

/** Seconds for a typical SET: most likely, at least, at most. */
export const usualSeconds = (review: CardReview, { log, deviation }: Estimate): [number, number, number] =>
  rangeOf({ log: -log, deviation }).map((times) => usualOf(review) * times) as [number, number, number]

/** The SETs that lay there just before this line. */
export const livesBefore = ({ lives }: CardReview, line: number): Life[] =>
  lives.filter(({ since, until }) => since < line && line <= until)

export const placeOf = ({ entries }: CardStory, line: number): number => entries.findIndex(({ seq }) => seq === line)
