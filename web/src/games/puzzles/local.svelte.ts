/** Puzzles that nobody deals but this browser: a storm without a connection, slow ones again, a daily in a frame. */

import { announce } from '../../announce.svelte'
import { m } from '../../language.svelte'
import type { PuzzleEvent, PuzzleItem, PuzzleOptions } from '../../protocol'
import { playSound } from '../../sound'
import type { Entry } from '../module'
import { Passing } from './passing.svelte'
import { evolve, isRight, start, type State } from './rules'
import { eventNews } from './words'

/** An answer that nobody can have meant. */
const HAND_MS = 100

export class Local {
  state = $state.raw<State>(start({}, 1))
  /** By the page's clock; null while nothing goes on. */
  since = $state<number | null>(null)
  message = $state({ text: '', tone: '' })
  readonly passing = new Passing(() => (this.message = { text: '', tone: '' }))
  entries: Entry<PuzzleEvent>[] = []
  states: State[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `deal` gives the item of a number; null when there are no more. */
  constructor(
    readonly options: PuzzleOptions,
    readonly deal: (number: number) => PuzzleItem | null,
    readonly over: (local: Local) => void,
  ) {}

  readonly runner = $derived(this.state.runners[0]!)
  readonly item = $derived(this.state.items[this.runner.number - 1])
  readonly until = $derived(this.since === null || this.runner.until === null ? null : this.since + this.runner.until)

  begin(): void {
    this.state = start(this.options, 1)
    this.states = [this.state]
    this.entries = []
    this.message = { text: '', tone: '' }
    this.since = performance.now()
    this.#happen({ kind: 'began', first: this.deal(1) })
  }

  answer(picks: number[]): void {
    const { item, runner } = this
    if (!item || this.since === null || this.#at - runner.shown_at < HAND_MS) return
    const sorted = picks.toSorted((a, b) => a - b)
    if (runner.found.some((one) => one.join() === sorted.join())) return this.#say(m.refused_found_already(), 'bad')
    const right = isRight(item, sorted)
    const goesOn = this.options.kind !== 'daily_set'
    const next = goesOn ? this.deal(runner.number + 1) : null
    this.#happen({ kind: 'answered', seat: 0, number: runner.number, right, points: right ? 1 : 0, picks: sorted, placements: null, next })
    if (goesOn ? next === null : this.runner.found.length === 6) this.stop('solved')
    else if (this.runner.until !== null && this.runner.until <= this.#at) this.stop('time')
  }

  stop(why: 'solved' | 'time' | 'enough'): void {
    if (this.since === null) return
    this.#happen({ kind: 'stopped', seat: 0, why })
    this.#happen({ kind: 'ended', scores: [this.runner.score] })
    this.close()
    this.since = null
    this.over(this)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.passing.stop()
  }

  get #at(): number {
    return Math.round(performance.now() - (this.since ?? performance.now()))
  }

  #happen(event: PuzzleEvent): void {
    const at = this.#at
    this.state = evolve(this.state, event, at)
    this.entries = [...this.entries, { seq: this.entries.length + 1, at, event }]
    this.states = [...this.states, this.state]
    const news = eventNews(event, { state: this.state, seat: 0, names: [''] })
    if (news?.sound) playSound(news.sound)
    if (news) this.#say(news.text, news.tone ?? '')
    if (event.kind === 'answered') this.passing.note(this.state, event)
    clearTimeout(this.#timer)
    const { until } = this.runner
    if (until !== null && this.state.phase === 'play') this.#timer = setTimeout(() => this.stop('time'), Math.max(0, until - at))
  }

  #say(text: string, tone: string): void {
    this.message = { text, tone }
    announce(text)
  }
}
