/** A player where everybody looks for a SET at once: what is picked, called, shown and hinted at. */

import { announce, sayAgain } from '../announce.svelte'
import { reachedByKeys } from '../focus'
import type { Command, GameEvent } from '../games/module'
import type { RaceState } from '../games/race'
import { m } from '../language.svelte'
import type { GameHint } from '../protocol'
import { settings } from '../settings.svelte'
import { playSound } from '../sound'
import { isolated } from '../words'
import type { Connection } from './connection.svelte'
import { isSecondClick } from './doubleclick'
import { SHOWN_MS } from './fly'
import { shown } from './frames'
import { actionOf, CALL, keyOf, SEE_NONE, type Shortcut } from './keys'
import { Takings } from './takings.svelte'
import type { Voice } from './voice.svelte'
import { waitingText } from './waiting'

/** What lies on the table to be picked: cards by their names, or dice by their numbers. */
export interface Things<S, T> {
  /** So many are shown. */
  size(state: S): number
  lies(state: S, thing: T): boolean
  show(things: T[]): Command
  /** Those that an event or a hint speaks of. */
  of(said: GameEvent | GameHint): T[]
  /** For those who do not see it: a thing, and everything that lies there. */
  describe(state: S, thing: T): string
  lying(state: S): string
  /** How much is there, and where the game stands. */
  stage(state: S): string
  /** Those that lie where something else lay, or nothing. */
  arrived?(before: S, after: S): T[]
  /** What is picked with one more; where there are too many, the one that was picked first makes way. */
  chosenWith?(state: S, chosen: readonly T[], thing: T): T[]
  /** An event has happened, and what it changed is on the screen. */
  seen?(event: GameEvent): void
  /** What is drawn of it. */
  faceOf(thing: T): HTMLElement | undefined
  seatElementOf(seat: number): HTMLElement | undefined
}

/** After these events other things lie on the table. */
const CHANGES = ['took', 'opened', 'round_ended']
/** So long one sees what was wrong. */
const WRONG_MS = 2000

export class Race<S extends RaceState, T> {
  selected = $state.raw<T[]>([])
  wrong = $state.raw<T[]>([])
  /** Shown, and not answered yet: it stays marked until it is. */
  sent = $state.raw<T[]>([])
  hinted = $state.raw<T[]>([])
  readonly takings = new Takings()
  #strength = 1
  #spaceCalls = false
  #wasLocked = false
  /** What is picked is shown with the call: nobody has to be asked for it. */
  #showsAtOnce = false
  #before: S | null = null
  #isThere = true
  #fading: ReturnType<typeof setTimeout> | undefined
  #leaving: ReturnType<typeof setTimeout> | undefined

  /** To be made by a component: for as long as that is there, it hears of what happens. */
  constructor(
    readonly connection: Connection,
    readonly voice: Voice,
    readonly things: Things<S, T>,
    readonly shortcuts: readonly Shortcut[],
  ) {
    $effect(() => {
      connection.before = (entries) => {
        this.#wasLocked = this.locked
        this.#before = this.state
        entries.forEach(({ event }) => this.#takeAway(event))
        // What is taken is framed; then others are dealt beneath it.
        if (this.takings.all.length) return shown()
      }
      connection.after = (entries) => this.#hear(entries.map(({ event }) => event))
      return () => {
        this.#isThere = false
        connection.before = connection.after = () => {}
        connection.lingers = false
        clearTimeout(this.#fading)
        clearTimeout(this.#leaving)
      }
    })
    voice.welcome(...this.#stage())
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
  get maySeeNone(): boolean {
    return this.plays && this.state.call === null
  }
  /** Whether it could ever be right to say so: not where more cards come by themselves, and only when there is no SET. */
  get asksForNone(): boolean {
    const { auto_deal, honest_none } = this.state.options
    return !(auto_deal && honest_none)
  }
  get marked(): T[] {
    return this.sent.length ? [...this.sent, ...this.selected] : this.selected
  }
  /** As many are picked as are shown: a call shows them. */
  /** So many make a SET here. */
  get size(): number {
    return this.things.size(this.state)
  }
  get isWhole(): boolean {
    return this.selected.length === this.size
  }

  async do(command: Command): Promise<void> {
    this.voice.explain(await this.connection.play(command))
  }

  /** Calls, and shows at once what is picked, if that is enough. */
  async call(): Promise<void> {
    if (!this.mayCall) return announce(this.#whyNot(m.you_are_locked()))
    playSound('call')
    const calling = this.connection.play({ do: 'call' })
    if (!this.isWhole) return void this.voice.explain(await calling)
    const picked = this.selected
    this.#showsAtOnce = true
    const showing = this.#show()
    if (this.voice.explain(await calling)) return void this.voice.explain(await showing)
    // Somebody else was first: it stays picked.
    this.#showsAtOnce = false
    if (this.selected.length) return
    this.selected = picked
    announce(this.#drop())
  }

  /** Why one can neither call nor see none, for who does not see it; `locked`: if one is locked out. */
  #whyNot(locked = ''): string {
    const { call } = this.state
    if (!this.plays) return ''
    if (call) return this.called ? m.refused_show_first() : m.refused_called_by_another({ name: isolated(this.connection.names[call.seat] ?? '') })
    return this.instant ? m.refused_no_call_needed() : locked
  }

  /** `typed`: how to call is said there. */
  pick(thing: T, typed = false): void {
    if (!this.plays) return
    const { state, selected, things, voice } = this
    this.takings.release()
    if (this.wrong.length) this.wrong = []
    if (voice.tone) voice.clear()
    const drops = selected.includes(thing)
    if (drops) this.selected = selected.filter((one) => one !== thing)
    else this.selected = things.chosenWith?.(state, selected, thing) ?? [...selected, thing].slice(-things.size(state))
    if (!things.faceOf(thing)?.parentElement?.matches(':focus')) {
      const words = { thing: things.describe(state, thing) }
      announce(drops ? m.thing_dropped(words) : m.thing_picked(words))
    }
    const displaced = selected.filter((one) => one !== thing && !this.selected.includes(one))
    for (const one of displaced) announce(m.thing_dropped({ thing: things.describe(state, one) }))
    if (this.isWhole && this.mayCall && !typed) announce(this.#wholeText(), 'usual')
    this.#showIfWhole()
  }

  #wholeText(): string {
    const count = this.selected.length
    return settings.shortcuts ? m.key_calls_them({ count, key: keyOf(CALL).shown }) : m.call_shows_them({ count })
  }

  /** Picks by touch and by keys; undefined for those who only look on. */
  get picker(): ((thing: T) => void) | undefined {
    return this.me === null ? undefined : this.#pick
  }
  readonly #pick = (thing: T): void => this.pick(thing)

  async toggleNone(event?: Event): Promise<void> {
    if (!this.maySeeNone) return announce(this.#whyNot())
    if (!isSecondClick(event)) await this.do({ do: this.agreed ? 'take_back' : 'see_none' })
  }

  async hint(): Promise<void> {
    if (!this.connection.table?.practice) return announce(m.no_hints())
    if (!this.plays) return
    const answer = await this.connection.hint(this.#strength)
    if (answer === null || !('hint' in answer)) return
    this.hinted = this.things.of(answer.hint as GameHint)
    this.wrong = []
    this.#strength = Math.min(3, this.#strength + 1)
    if (this.hinted.length) announce(`${m.hint()}: ${this.#labelsOf(this.hinted)}`)
    else this.voice.say(m.hint_none())
  }

  /** What a thing is, and where it lies; not that a hint spoke of it. */
  #labelOf(thing: T): string {
    const label = this.things.faceOf(thing)?.closest('button')?.getAttribute('aria-label') ?? this.things.describe(this.state, thing)
    return label.replace(`, ${m.hint()}`, '')
  }

  #labelsOf(things: readonly T[]): string {
    return things.map((thing) => this.#labelOf(thing)).join('; ')
  }

  /** The keys that every such game has; whether this was one. What only the game itself does is in `others`. */
  press(event: KeyboardEvent, others: Readonly<Record<string, () => void>> = {}): boolean {
    if (event.code === 'Space' && this.#callsBySpace(event)) {
      event.preventDefault()
      this.#spaceCalls = true
      void this.call()
      return true
    }
    if (event.key === 'Escape') {
      if (this.selected.length) announce(m.nothing_chosen())
      this.selected = []
      return true
    }
    const act = { ...this.#actions, ...others }[actionOf(event, this.shortcuts) ?? '']
    if (act) {
      event.preventDefault()
      act()
    }
    return act !== undefined
  }

  /** A button is pressed when its key goes up: not by the one that called. */
  release(event: KeyboardEvent): void {
    if (event.code !== 'Space' || !this.#spaceCalls) return
    event.preventDefault()
    this.#spaceCalls = false
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    call: () => void this.call(),
    none: () => void this.toggleNone(),
    hint: () => void this.hint(),
    standing: () => this.tellStanding(),
    lying: () => this.tellLying(),
    again: sayAgain,
  }

  tellStanding(): void {
    this.voice.tellStanding(this.#stage())
  }

  tellLying(): void {
    announce(this.things.lying(this.state))
  }

  /** Where things are, who has called, and what one has said oneself. */
  #stage(): string[] {
    const { call } = this.state
    const name = call ? (this.connection.names[call.seat] ?? '') : ''
    return [
      this.things.stage(this.state),
      ...(call && !this.called ? [m.called({ name })] : []),
      ...(this.locked ? [m.you_are_locked()] : []),
      ...(this.agreed ? [m.you_see_none(), waitingText(this.connection)] : []),
    ]
  }

  /** Elsewhere than on a button that was reached by keys, where it presses that. */
  #callsBySpace({ target }: KeyboardEvent): boolean {
    return !(target instanceof HTMLButtonElement) || (this.mayCall && !reachedByKeys())
  }

  #show(): Promise<Awaited<ReturnType<Connection['play']>>> {
    const shown = this.selected
    this.selected = []
    this.sent = shown
    return this.connection.play(this.things.show(shown)).finally(() => (this.sent = []))
  }

  #showIfWhole(): void {
    if (this.isWhole && (this.called || (this.instant && !this.locked))) void this.#show().then((answer) => this.voice.explain(answer))
  }

  #takeAway(event: GameEvent): void {
    if (event.kind !== 'took' || event.seat === undefined) return
    const { takings, things, connection } = this
    const faces = things.of(event).flatMap((thing) => things.faceOf(thing) ?? [])
    // Alone against the clock nobody else has to see it, and every moment counts.
    const held = !connection.table?.run || connection.names.length > 1
    takings.show({ seat: event.seat, name: connection.names[event.seat] ?? '', held }, faces, things.seatElementOf(event.seat))
  }

  /** First what is seen on the table changes, and with the next frame it is put into words. */
  #hear(events: readonly GameEvent[]): Promise<void> {
    for (const event of events) {
      if (event.kind === 'missed') this.#mark(this.things.of(event))
      else if (CHANGES.includes(event.kind)) this.#forget()
      if (event.kind === 'missed' && event.seat === this.me) this.selected = []
    }
    if (events.some(({ kind }) => kind === 'ended')) this.#linger()
    requestAnimationFrame(() => events.forEach((event) => this.things.seen?.(event)))
    const lost = this.#drop()
    if (this.called) this.#showIfWhole()
    return shown().then(() => this.#tell(events, lost))
  }

  /** Other things lie there now. */
  #forget(): void {
    this.#strength = 1
    if (this.wrong.length) this.wrong = []
    if (this.hinted.length) this.hinted = []
  }

  /** Drops what was picked and does not lie there any more: what is to be said about that, if anything was. */
  #drop(): string {
    const lying = this.selected.filter((thing) => this.things.lies(this.state, thing))
    if (lying.length === this.selected.length) return ''
    this.selected = lying
    return lying.length ? m.choice_shrank({ count: lying.length }) : m.choice_gone()
  }

  /** `lost`: what became of what was picked. */
  #tell(events: readonly GameEvent[], lost: string): void {
    if (!this.#isThere) return
    for (const event of events) this.#tellOne(event)
    // Of what lay there nothing is left to choose from, as has just been said.
    if (this.plays) announce(lost)
    if (this.#wasLocked && this.mayCall) announce(m.may_call_again())
    const before = this.#before
    const arrived = (before && this.things.arrived?.(before, this.state)) ?? []
    const [moved, fresh] = [true, false].map((lay) => arrived.filter((thing) => this.things.lies(before!, thing) === lay))
    if (fresh!.length) announce(m.new_things({ things: this.#labelsOf(fresh!) }), 'usual')
    if (moved!.length) announce(m.moved_things({ things: this.#labelsOf(moved!) }), 'usual')
  }

  #tellOne(event: GameEvent): void {
    const mine = event.seat === this.me
    if (mine && event.kind === 'called' && this.#showsAtOnce) return
    if (mine) this.#showsAtOnce = false
    this.voice.tell(event)
    if (!mine) return
    if (event.kind === 'saw_none' && this.agreed) announce([m.you_see_none(), waitingText(this.connection), this.#againText()].filter(Boolean).join(' '))
    else if (event.kind === 'took_back') announce(m.you_look_again())
  }

  #againText(): string {
    return settings.shortcuts ? m.key_looks_again({ key: keyOf(SEE_NONE).shown }) : ''
  }

  /** The last SET is seen before the result. */
  #linger(): void {
    this.connection.lingers = true
    this.#leaving = setTimeout(() => (this.connection.lingers = false), SHOWN_MS)
  }

  #mark(wrong: T[]): void {
    this.wrong = wrong
    clearTimeout(this.#fading)
    this.#fading = setTimeout(() => (this.wrong = []), WRONG_MS)
  }
}
