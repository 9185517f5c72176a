/** A player where everybody looks for a SET at once: what is picked, called, shown and hinted at. */

import { announce } from '../announce.svelte'
import type { Command, GameEvent } from '../games/module'
import type { RaceState } from '../games/race'
import { m } from '../language.svelte'
import type { GameHint } from '../protocol'
import { playSound } from '../sound'
import type { Connection } from './connection.svelte'
import { isSecondClick } from './doubleclick'
import { flyTo } from './fly'
import type { Voice } from './voice.svelte'

/** What lies on the table to be picked: cards by their names, or dice by their numbers. */
export interface Things<S, T> {
  /** So many are shown. */
  size(state: S): number
  lies(state: S, thing: T): boolean
  isGroup(state: S, things: readonly T[]): boolean
  show(things: T[]): Command
  /** Those that an event or a hint speaks of. */
  of(said: GameEvent | GameHint): T[]
  /** For those who do not see it. */
  describe(state: S, thing: T): string
  /** What is picked with one more; where there are too many, the one that was picked first makes way. */
  chosenWith?(state: S, chosen: readonly T[], thing: T): T[]
  /** An event has happened, and what it changed is on the screen. */
  seen?(event: GameEvent): void
  elementOf(thing: T): HTMLElement | undefined
  seatElementOf(seat: number): HTMLElement | undefined
}

/** After these events other things lie on the table. */
const CHANGES = ['took', 'opened', 'round_ended']

export class Race<S extends RaceState, T> {
  selected = $state.raw<T[]>([])
  wrong = $state.raw<T[]>([])
  hinted = $state.raw<T[]>([])
  #strength = 1
  #spaceCalls = false

  /** To be made by a component: for as long as that is there, it hears of what happens. */
  constructor(
    readonly connection: Connection,
    readonly voice: Voice,
    readonly things: Things<S, T>,
  ) {
    $effect(() => {
      connection.before = (entries) => entries.forEach(({ event }) => this.#takeAway(event))
      connection.after = (entries) => this.#hear(entries.map(({ event }) => event))
      return () => {
        connection.before = connection.after = () => {}
      }
    })
  }

  get state(): S {
    return this.connection.game!.state as unknown as S
  }
  get me(): number | null {
    return this.connection.game!.seat
  }
  get plays(): boolean {
    return this.me !== null && this.state.phase === 'play'
  }
  get instant(): boolean {
    return this.state.options.claim === 'instant'
  }
  get called(): boolean {
    return this.state.call !== null && this.state.call.seat === this.me
  }
  get locked(): boolean {
    return this.me !== null && this.state.locked.includes(this.me)
  }
  get agreed(): boolean {
    return this.me !== null && this.state.none.includes(this.me)
  }
  get mayCall(): boolean {
    return this.plays && !this.instant && !this.locked && !this.state.call
  }
  /** Whether one begins the round that this seat should begin: it is one's own, or nobody is there. */
  begins(seat: number): boolean {
    return this.me === seat || (this.me !== null && this.state.away.includes(seat))
  }
  /** What is picked is a SET: now is the time to call. */
  get isReady(): boolean {
    const { state, selected, things } = this
    return selected.length === things.size(state) && things.isGroup(state, selected)
  }

  async do(command: Command): Promise<void> {
    this.voice.explain(await this.connection.play(command))
  }

  async call(): Promise<void> {
    if (!this.mayCall) return
    playSound('call')
    await this.do({ do: 'call' })
  }

  pick(thing: T): void {
    if (!this.plays) return
    const { state, selected, things, voice } = this
    this.wrong = []
    if (voice.tone) voice.clear()
    if (selected.includes(thing)) this.selected = selected.filter((one) => one !== thing)
    else this.selected = things.chosenWith?.(state, selected, thing) ?? [...selected, thing].slice(-things.size(state))
    this.#showIfWhole()
  }

  /** Picks by touch and by keys; undefined for those who only look on. */
  get picker(): ((thing: T) => void) | undefined {
    return this.me === null ? undefined : (thing) => this.pick(thing)
  }

  async toggleNone(event?: Event): Promise<void> {
    if (this.plays && !isSecondClick(event)) await this.do({ do: this.agreed ? 'take_back' : 'see_none' })
  }

  async hint(): Promise<void> {
    const answer = await this.connection.hint(this.#strength)
    if (answer === null || !('hint' in answer)) return
    this.hinted = this.things.of(answer.hint as GameHint)
    this.wrong = []
    this.#strength = Math.min(3, this.#strength + 1)
    if (this.hinted.length) announce(this.hinted.map((thing) => this.things.describe(this.state, thing)).join('; '))
    else this.voice.say(m.hint_none())
  }

  /** The keys that every such game has; whether this was one. Space calls, also while a thing to pick has the focus. */
  press(event: KeyboardEvent): boolean {
    if (event.code === 'Space' && this.#callsBySpace(event)) {
      event.preventDefault()
      this.#spaceCalls = true
      void this.call()
    } else if (event.code === 'Digit0') void this.toggleNone()
    else if (event.key === 'Escape') this.selected = []
    else return false
    return true
  }

  /** A button is pressed when its key goes up: not by the one that called. */
  release(event: KeyboardEvent): void {
    if (event.code !== 'Space' || !this.#spaceCalls) return
    event.preventDefault()
    this.#spaceCalls = false
  }

  #callsBySpace({ target }: KeyboardEvent): boolean {
    if (!(target instanceof HTMLButtonElement)) return true
    return target.matches('[data-card], [data-die]') && this.mayCall
  }

  #showIfWhole(): void {
    const whole = this.selected.length === this.things.size(this.state)
    if (!whole || !(this.called || (this.instant && !this.locked))) return
    const shown = this.selected
    this.selected = []
    void this.do(this.things.show(shown))
  }

  #takeAway(event: GameEvent): void {
    if (event.kind !== 'took' || event.seat === undefined) return
    const target = this.things.seatElementOf(event.seat)
    const taken = this.things.of(event).flatMap((thing) => this.things.elementOf(thing) ?? [])
    if (target) flyTo(taken, target)
  }

  #hear(events: readonly GameEvent[]): void {
    for (const event of events) {
      if (event.kind === 'missed') this.wrong = this.things.of(event)
      else if (CHANGES.includes(event.kind)) [this.wrong, this.hinted, this.#strength] = [[], [], 1]
      this.voice.tell(event)
    }
    requestAnimationFrame(() => events.forEach((event) => this.things.seen?.(event)))
    this.selected = this.selected.filter((thing) => this.things.lies(this.state, thing))
    if (this.called) this.#showIfWhole()
  }
}

/** A key that means something to the page as it is now. */
export const isForTable = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.repeat) &&
  !(event.target instanceof HTMLInputElement) &&
  !document.querySelector('dialog[open]')
