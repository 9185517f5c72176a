/** A review of the card game in words: summary, chart, stops and measures, as one player sees them. */

import { clockTime, niceTicks, timeTicks } from '../../../after/chart'
import { secondsText } from '../../../after/figures'
import { m } from '../../../language.svelte'
import { eachOnce } from '../../../learn/spaced'
import { decimal } from '../../../locale'
import { nameIn } from '../../../table/racewords'
import { featureName, valueName } from '../../../words'
import { CARD_FEATURES, type FeatureName } from '../../../sets'
import type { Measure, Question, ReviewChart, ReviewTold, Stop } from '../../module'
import type {
  CardReview,
  CardReviewKind as Kind,
  CardReviewLife as Life,
  CardReviewSeat as SeatReview,
  CardReviewStrength as Strength,
  Estimate,
} from '../../../protocol'
import { placeOf, rangeOf, usualSeconds, type CardStory } from './review'

const seconds = (of: number): string => secondsText(of * 1000)
const perMinute = ({ found, looked }: { found: number; looked: number }, digits = 1): string =>
  looked ? decimal((60 * found) / looked, digits) : '–'

export function tell(review: CardReview, story: CardStory, seat: number): ReviewTold {
  return { summary: summaryOf(review, seat), chart: chartOf(review), stops: stopsOf(review, story, seat), measures: measuresOf(review) }
}

function summaryOf(review: CardReview, seat: number): string[] {
  const own = review.seats[seat]!
  return [
    m.review_pace({ found: m.sets_found({ count: own.found }), pace: perMinute(own) }),
    ...(own.speed ? [usualText(review, own.speed)] : own.waited ? [m.review_waited()] : []),
    m.review_misses({ missed: own.missed, quick: own.quick, wrong: own.wrong }),
    ...(own.false_none ? [m.review_false_nones({ count: own.false_none })] : []),
    ...own.strengths.filter(({ clear }) => clear).map(strengthText),
  ]
}

function usualText(review: CardReview, speed: Estimate): string {
  const [likely, low, high] = usualSeconds(review, speed).map(seconds) as [string, string, string]
  return m.review_usual({ seconds: likely, low, high })
}

/** "SETs all hatched: 1.6 times as long as the rest (most likely 1.2 to 2.1)". */
export function strengthText({ kind, slowness }: Strength): string {
  const [times, low, high] = rangeOf(slowness).map((one) => decimal(one)) as [string, string, string]
  return m.review_strength({ kind: kindText(kind), times, low, high })
}

export function kindText({ by, name }: Kind): string {
  if (by === 'count') return m.review_kind_count({ count: Number(name) })
  if (by === 'different') return m.review_kind_different({ feature: featureName(name as FeatureName) })
  const { name: feature } = CARD_FEATURES.find(({ values }) => (values as readonly string[]).includes(name))!
  return m.review_kind_same({ feature: featureName(feature), value: valueName(name) })
}

function chartOf({ scores, seats, milliseconds }: CardReview): ReviewChart {
  const points = scores.flatMap(([, all]) => all)
  return {
    title: seats.length > 1 ? m.chart_race() : m.chart_alone(),
    text: (y) => m.points({ count: y }),
    lines: seats.map((_, seat) => ({
      seat,
      spots: [...scores.map(([x, all]) => ({ x, y: all[seat]! })), { x: milliseconds, y: scores.at(-1)?.[1][seat] ?? 0 }],
    })),
    levels: niceTicks(Math.min(0, ...points), Math.max(1, ...points)).map((y) => ({ y, label: String(y) })),
    ticks: timeTicks(milliseconds),
    end: milliseconds,
    stepped: true,
  }
}

/** What happened at a table, and before it each SET that this player missed there. */
function stopsOf(review: CardReview, story: CardStory, seat: number): Stop[] {
  return story.entries.flatMap(({ seq, at }, place): Stop[] => {
    const known = { line: seq, x: at, y: story.states[place + 1]!.scores[seat] ?? 0, when: clockTime(at) }
    const missed = review.lives.flatMap((life, index) =>
      life.until === seq && life.missed.includes(seat) ? [missedStop(life, index, seat, known)] : [],
    )
    const happened = eventTitle(review, story, seat, place)
    return happened ? [...missed, { id: `e${seq}`, ...known, ...happened }] : missed
  })

  function missedStop(life: Life, index: number, seat: number, known: Pick<Stop, 'line' | 'x' | 'y' | 'when'>): Stop {
    const [looked, usual] = [life.looked[seat]!, life.expected[seat]!]
    const title = m.review_missed({ looked: seconds(looked), usual: seconds(usual) })
    return { id: `m${index}`, ...known, title, signs: life.cards, tone: 'bad', mistake: looked > 3 * usual ? 3 : looked > 2 * usual ? 2 : 1 }
  }
}

/** How long a SET was in view, once it is gone, and how long this player usually needs; nobody knows that of a bot that held back. */
export function timeText({ looked, expected }: Life, seat: number, isGone: boolean): string {
  const [seen, usual] = [seconds(looked[seat]!), expected[seat] ?? null]
  if (usual === null) return isGone ? m.review_life_looked({ looked: seen }) : ''
  return isGone ? m.review_life({ looked: seen, usual: seconds(usual) }) : m.review_life_usual({ usual: seconds(usual) })
}

/** Of cards that are a SET. */
export const isSetText = ({ expected }: Life, seat: number): string => {
  const usual = expected[seat] ?? null
  return usual === null ? m.it_is_a_set() : m.review_is_set({ usual: seconds(usual) })
}

type Title = Pick<Stop, 'title' | 'signs' | 'tone' | 'mistake'>

const MISTAKE = { tone: 'bad', mistake: 2 } as const

function eventTitle(review: CardReview, story: CardStory, seat: number, place: number): Title | null {
  const { seq, event } = story.entries[place]!
  switch (event.kind) {
    case 'took': {
      const life = review.lives.find(({ until, went }) => until === seq && went === 'taken')
      const usual = life?.expected[event.seat] ?? null
      if (!life || usual === null) return { title: story.words(place).text }
      const words = { name: nameIn(story.names, event.seat), looked: seconds(life.looked[event.seat]!), usual: seconds(usual) }
      return life.quick ? { title: m.review_quick(words), tone: 'good' } : { title: m.review_took(words) }
    }
    case 'missed': {
      const broken = review.wrong.find(({ line }) => line === seq)?.broken ?? []
      const why = broken.length ? m.review_wrong_call({ features: broken.map((name) => featureName(name as FeatureName)).join(', ') }) : story.words(place).text
      const title = broken.length && event.seat !== story.seat ? `${nameIn(story.names, event.seat)}: ${why}` : why
      return { title, signs: event.cards, ...(event.seat === seat ? MISTAKE : {}) }
    }
    case 'saw_none': {
      const said = review.false_none.find(({ line }) => line === seq)
      if (!said) return null
      const title = m.review_false_none({ name: nameIn(story.names, event.seat), count: said.sets })
      return { title, ...(event.seat === seat ? MISTAKE : {}) }
    }
    case 'opened':
    case 'round_ended':
      return { title: story.words(place).text }
    default:
      return null
  }
}

function measuresOf(review: CardReview): Measure[] {
  const { seats, result } = review
  const row = (title: string, about: string, value: (seat: SeatReview) => string): Measure => ({ title, about, values: seats.map(value) })
  return [
    { title: m.points_word(), about: m.review_points_about(), values: result.map(String) },
    row(m.review_pace_word(), m.review_pace_about(), (seat) => perMinute(seat)),
    row(m.review_quarters(), m.review_quarters_about(), ({ pace }) => pace.map((part) => perMinute(part, 0)).join(' · ')),
    row(m.review_usual_word(), m.review_usual_about(), ({ speed }) => (speed ? seconds(usualSeconds(review, speed)[0]) : '–')),
    row(m.review_missed_word(), m.review_missed_about(), ({ missed }) => String(missed)),
    row(m.review_quick_word(), m.review_quick_about(), ({ quick }) => String(quick)),
    row(m.review_even(), m.review_even_about(), ({ consistency }) => (consistency === null ? '–' : String(Math.round(consistency)))),
    row(m.wrong_calls_word(), m.review_wrong_about(), ({ wrong }) => String(wrong)),
    row(m.review_none_word(), m.review_none_about(), ({ false_none }) => String(false_none)),
  ]
}

/** A table on which something was not seen, or cards that were taken for a SET. */
export type CardQuestion =
  | { kind: 'find'; table: readonly string[]; last: readonly string[]; group: readonly string[]; options: object }
  | { kind: 'broken'; cards: readonly string[]; broken: readonly string[] }

/** The worst first: nobody practises thirty in a row, nor one table five times. */
const MOST = 12
const MOST_OF_ONE_TABLE = 2

export function questionsOf(review: CardReview, story: CardStory, seat: number): Question[] {
  const find = (line: number, group: readonly string[]): Question => {
    const { table, last, options } = story.states[placeOf(story, line)]!
    const asks: CardQuestion = { kind: 'find', table, last, group, options: { variant: options.variant, only: options.only } }
    return { id: [...table, '>', ...group].join(''), asks }
  }
  const ratio = ({ looked, expected }: Life) => looked[seat]! / expected[seat]!
  const tables = new Map<number, number>()
  const missed = review.lives
    .filter((life) => life.missed.includes(seat))
    .sort((a, b) => ratio(b) - ratio(a))
    .filter(({ until }) => {
      const count = (tables.get(until) ?? 0) + 1
      tables.set(until, count)
      return count <= MOST_OF_ONE_TABLE
    })
    .map(({ until, cards }) => find(until, cards))
  const denied = review.false_none.filter((one) => one.seat === seat).map(({ line, easiest }) => find(line, easiest))
  const wrong = review.wrong
    .filter((one) => one.seat === seat && one.cards.length === 3 && one.broken.length)
    .map(({ cards, broken }): Question => ({ id: cards.join(''), asks: { kind: 'broken', cards, broken } satisfies CardQuestion }))
  // What was denied may have been missed as well.
  return inTurns(eachOnce([...denied, ...missed]), eachOnce(wrong)).slice(0, MOST)
}

/** Two of the first, then one of the second, as long as there are any. */
function inTurns<T>(first: readonly T[], second: readonly T[]): T[] {
  if (!first.length) return [...second]
  return [...first.slice(0, 2), ...second.slice(0, 1), ...inTurns(first.slice(2), second.slice(1))]
}
