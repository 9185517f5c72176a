/** A review of the dice game in words: summary, chart, stops and measures, as one player sees them. */

import { m } from '../../../language.svelte'
import type { CubedEvent, CubedReview, CubedReviewDecision as Decision, CubedReviewLuck as Luck, CubedState, Die, Edition } from '../../../protocol'
import { change, exactly, percent } from '../../../review/numbers'
import { nameIn } from '../../../table/racewords'
import { leftToRight, seatName } from '../../../words'
import type { Measure, Question, ReviewChart, ReviewTold, Stop, Story } from '../../module'
import { nameOf, readChoice } from './choice'

export type CubedStory = Story<CubedState, CubedEvent>

export function tell(review: CubedReview, story: CubedStory, seat: number): ReviewTold {
  return { summary: summaryOf(review, seat), chart: chartOf(review, seat), stops: stopsOf(review, story, seat), measures: measuresOf(review) }
}

/** What is further from nothing than so many standard errors is no chance. */
const CERTAIN = 2

const botName = (bot: string): string => seatName(bot, bot)
const shareOfWin = ({ result }: CubedReview, seat: number): number => {
  const most = Math.max(...result)
  return result[seat] === most ? 1 / result.filter((points) => points === most).length : 0
}

function summaryOf(review: CubedReview, seat: number): string[] {
  const own = review.seats[seat]!
  const { large, medium, small, decisions, counted } = own
  const luck = { luck: change(own.luck / 100), error: exactly(own.luck_error / 100) }
  const lucky = Math.abs(own.luck) <= CERTAIN * own.luck_error ? m.review_luck_even : own.luck > 0 ? m.review_luck_good : m.review_luck_bad
  return [
    ...(own.accuracy === null ? [] : [[m.review_accuracy({ accuracy: Math.round(own.accuracy) }), likeText(own.plays_like)].filter(Boolean).join(' ')]),
    m.review_mistakes({ large, medium, small, count: decisions, counted }),
    lucky(luck),
    m.review_luck_others({ luck: change(own.others_luck / 100) }),
    adjustedText(Math.max(0, Math.min(1, own.adjusted / 100)), shareOfWin(review, seat)),
  ]
}

function likeText([weaker, stronger]: readonly string[]): string {
  if (!weaker) return ''
  return stronger ? m.review_between({ weaker: botName(weaker), stronger: botName(stronger) }) : m.review_like({ bot: botName(weaker) })
}

/** What luck changed of the result: for a reader something between a loss and a win. */
const adjustedText = (share: number, result: number): string =>
  Math.abs(share - result) < 0.05 ? m.review_luck_settled() : m.review_adjusted({ share: percent(share), result: percent(result) })

function chartOf({ moments, seats }: CubedReview, seat: number): ReviewChart {
  const shown = seats.length === 2 ? [seat] : [...seats.keys()]
  const fair = 1 / seats.length
  const levels = new Set([0, fair, 0.5, 1])
  const ticks = moments.flatMap(({ round }, place) => (round === moments[place - 1]?.round ? [] : [{ x: place + 1, label: String(round) }]))
  return {
    title: m.review_chance_title(),
    text: exactly,
    lines: shown.map((seat) => ({
      seat,
      // Where somebody decided it falls from what the best choice was worth by what was lost.
      spots: moments.flatMap(({ chances, before }, place) => [
        ...(before ? [{ x: place + 0.7, y: before[seat]! }] : []),
        { x: place + 1, y: chances[seat]! },
      ]).toSpliced(0, 0, { x: 0, y: fair }),
    })),
    levels: [...levels].map((y) => ({ y, label: percent(y) })),
    ticks,
    end: moments.length,
    stepped: false,
    middle: fair,
  }
}

function stopsOf(review: CubedReview, story: CubedStory, seat: number): Stop[] {
  const decided = new Map(review.decisions.map((one) => [one.line, one]))
  const lucky = new Map(review.luck.map((one) => [one.line, one]))
  const { moments } = review
  return story.entries.flatMap(({ seq, event }): Stop[] => {
    const [decision, luck] = [decided.get(seq), lucky.get(seq)]
    const happened = decision ? decisionTitle(decision, luck, seat) : luck ? luckTitle(luck, story) : event.kind === 'ended' ? { title: m.game_over() } : null
    if (!happened) return []
    const place = moments.findLastIndex(({ line }) => line <= seq)
    const round = decision?.round ?? luck?.round ?? moments[place]?.round ?? 1
    const when = [m.round_number({ round }), ...(decision ? [kindText(decision, story)] : [])].join(' · ')
    // What changes no chance by itself stands between those that do.
    const x = moments[place]?.line === seq ? place + 1 : Math.min(moments.length, place + 1.5)
    return [{ id: `e${seq}`, line: seq, x, y: moments[place]?.chances[seat] ?? 1 / review.seats.length, when, ...happened }]
  })
}

function kindText({ kind, seat }: Decision, story: CubedStory): string {
  if (seat === story.seat) return kind === 'extra roll' ? m.review_my_extra_roll() : kind === 'opening' ? m.review_my_opening() : m.review_my_turn()
  const name = nameIn(story.names, seat)
  return kind === 'extra roll' ? m.review_extra_roll({ name }) : kind === 'opening' ? m.review_opening({ name }) : m.review_turn({ name })
}

const SIZES = { small: 1, medium: 2, large: 3 } as const

type Title = Pick<Stop, 'title' | 'tone' | 'mistake'>

function decisionTitle(decision: Decision, luck: Luck | undefined, seat: number): Title {
  const { mark, loss, chosen, best } = decision
  const wild = luck ? ` · ${m.review_luck_of({ luck: change(luck.changes[luck.seat]!) })}` : ''
  if (!mark) return { title: (chosen.text === best.text ? m.review_best_choice() : m.review_good_choice()) + wild, tone: 'good' }
  const words = { loss: change(-loss / 100) }
  const title = mark === 'large' ? m.review_gave_away(words) : mark === 'medium' ? m.review_better(words) : m.review_slightly_better(words)
  return { title: title + wild, tone: 'bad', ...(decision.seat === seat ? { mistake: SIZES[mark] } : {}) }
}

function luckTitle({ kind, seat, changes }: Luck, story: CubedStory): Title {
  const words = { name: nameIn(story.names, seat), luck: change(changes[seat]!) }
  return { title: kind === 'draw' ? m.review_draw(words) : m.review_throw(words) }
}

function measuresOf(review: CubedReview): Measure[] {
  const { seats, result } = review
  type Seat = (typeof seats)[number]
  const row = (title: string, about: string, value: (seat: Seat) => string): Measure => ({ title, about, values: seats.map(value) })
  return [
    { title: m.points_word(), about: m.review_dice_points_about(), values: result.map(String) },
    row(m.review_accuracy_word(), m.review_accuracy_about(), ({ accuracy }) => (accuracy === null ? '–' : String(Math.round(accuracy)))),
    row(m.review_mistakes_word(), m.review_mistakes_about(), ({ large, medium, small }) => `${large} · ${medium} · ${small}`),
    row(m.review_rate_word(), m.review_rate_about(), ({ error_rate, rate_error }) =>
      error_rate === null ? '–' : leftToRight(`${change(-error_rate / 100)}${rate_error === null ? '' : `\u00a0±\u00a0${exactly(rate_error / 100)}`}`),
    ),
    row(m.review_like_word(), m.review_like_about(), ({ plays_like }) => plays_like.map(botName).join(' – ') || '–'),
    row(m.review_left_word(), m.review_left_about(), ({ points_left }) => String(points_left)),
    row(m.review_luck_word(), m.review_luck_about(), ({ luck }) => change(luck / 100)),
    row(m.review_adjusted_word(), m.review_adjusted_about(), ({ adjusted }) => percent(adjusted / 100)),
  ]
}

/** A position in which something better could have been chosen, with everything that judges an answer. */
export interface DiceQuestion {
  edition: Edition
  board: (Die | null)[]
  hand: Die[]
  kind: Decision['kind']
  seat: number
  choices: Decision['choices']
  best: Decision['best']
  chosen: Decision['chosen']
  /** Of what the best wins more often, in percentage points; older questions have none. */
  error?: Decision['error']
  /** What decides which choice wins: the others' dice, and how the game stands. */
  names: readonly string[]
  hands: Die[][]
  scores: readonly number[]
  bag: number
  round: number
}

/** The costliest first. Which opening SET is shown is a matter of seconds at the table: it is not asked. */
const MOST = 8

export function questionsOf(review: CubedReview, story: CubedStory, seat: number): Question[] {
  return review.decisions
    .filter((one) => one.seat === seat && one.mark && one.kind !== 'opening')
    .sort((a, b) => b.loss - a.loss)
    .slice(0, MOST)
    .map(({ line, kind, choices, best, chosen, error }) => {
      const { board, hands, options, scores, bag, round } = story.states[story.entries.findIndex(({ seq }) => seq === line)]!
      const hand = hands[seat]!
      const scene = { names: story.names, hands, scores, bag: bag.length, round }
      const asks: DiceQuestion = { edition: options.edition, board, hand, kind, seat, choices, best, chosen, error, ...scene }
      const lying = board.map((die) => die?.face ?? '').join()
      return { id: `${lying}>${hand.map(({ face }) => face).join()}>${kind}`, asks }
    })
}

/** Nobody can tell it from the best. What was chosen then never is right, nor what is no better. */
export function isRight({ best, chosen, error }: Pick<DiceQuestion, 'best' | 'chosen' | 'error'>, known: Decision['best']): boolean {
  if (known.value <= chosen.value || nameOf(readChoice(known.text)) === nameOf(readChoice(chosen.text))) return false
  const sure = error === undefined ? Math.hypot(known.error, best.error) : error / 100
  return best.value - known.value <= Math.max(0.0025, CERTAIN * sure)
}
