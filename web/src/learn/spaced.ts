/** Questions from one's own games: asked at once, and again after some days, further and further apart. Kept in this browser. */

import { keep, recall } from '../settings.svelte'

export interface Spaced {
  id: string
  game: string
  /** The question, as the game asks it. */
  asks: unknown
  /** How often it was known in a row. */
  known: number
  /** When it is asked next, in milliseconds. */
  due: number
}

const PLACE = 'tercet.practice'
const DAY_MS = 86_400_000
/** After so many days it is asked again; whoever knew it after the last knows it. */
const DAYS = [1, 3, 7, 16, 35]
/** The oldest make room: a dice board takes some two kilobytes. */
const KEPT = 120

const isOne = (one: Partial<Spaced> | null): one is Spaced =>
  typeof one?.id === 'string' && typeof one.game === 'string' && typeof one.known === 'number' && typeof one.due === 'number'

export function allQuestions(): Spaced[] {
  const { questions } = recall<{ questions: unknown }>(PLACE, { questions: [] })
  return Array.isArray(questions) ? (questions as (Partial<Spaced> | null)[]).filter(isOne) : []
}

const keepAll = (questions: readonly Spaced[]): void => keep(PLACE, { questions: questions.slice(-KEPT) })

export const dueQuestions = (now: number): Spaced[] =>
  allQuestions()
    .filter(({ due }) => due <= now)
    .sort((a, b) => a.due - b.due)

export const eachOnce = <T extends { id: string }>(questions: readonly T[]): T[] =>
  questions.filter(({ id }, place) => questions.findIndex((one) => one.id === id) === place)

/** Those that are not there yet; says how many are new. Whoever wants to practise these is asked them before all else that is due. */
export function addQuestions(game: string, questions: readonly { id: string; asks: unknown }[], now: number): number {
  const known = allQuestions()
  const wanted = eachOnce(questions)
  const fresh = wanted.filter(({ id }) => known.every((one) => one.id !== id))
  const first = Math.min(now, ...known.map(({ due }) => due - 1))
  const waiting = known.map((one) => (one.due <= now && wanted.some(({ id }) => id === one.id) ? { ...one, due: first } : one))
  keepAll([...waiting, ...fresh.map(({ id, asks }) => ({ id, game, asks, known: 0, due: first }))])
  return fresh.length
}

/** After the answer: later the better it is known, and soon once more if it is not. */
export function answerQuestion(id: string, right: boolean, now: number): void {
  keepAll(
    allQuestions().flatMap((one) => {
      if (one.id !== id) return [one]
      const days = right ? DAYS[one.known] : 0
      return days === undefined ? [] : [{ ...one, known: right ? one.known + 1 : 0, due: now + days * DAY_MS }]
    }),
  )
}

export const dropQuestion = (id: string): void => keepAll(allQuestions().filter((one) => one.id !== id))
