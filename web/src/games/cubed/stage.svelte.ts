/** The stage: what happens at the table is shown one thing after another, so the board may be a moment behind the table.
 *
 * Whoever touches anything is at once where the table is. Where nothing may move, nothing is ever behind.
 */

import type { Square } from '../../editions/squares'
import type { CubedState } from '../../protocol'
import { mayMove } from '../../settings.svelte'
import { glide, GLIDE_MS, tumble } from '../../table/fly'
import { drawn, nextTask, shown } from '../../table/frames'
import type { Mark } from './marks'
import type { Scene } from './scenes'

/** How long each thing is shown before the next, in ms. */
const DIE_APART = 110
const SET_MS = 420
const TURN_REST = 550
const PASS_MS = 800
const REPLACE_MS = 950
const THROW_MS = 850
const THROW_APART = 60
const HAND = 5
const END_MS = 2600

/** Where things lie on the screen. */
export interface Places {
  onBoard(square: Square): HTMLElement | null | undefined
  /** A die in a hand, if that is to be seen. */
  held(seat: number, die: number): HTMLElement | null | undefined
  seat(seat: number): HTMLElement | null | undefined
  bag(): HTMLElement | null | undefined
}

export interface Company {
  /** The table as it is, and where one sits. */
  actual(): CubedState
  me(): number | null
  places: Places
  /** Puts a scene into words. */
  say(scene: Scene): void
  /** What is shown has changed. */
  changed(): void
  /** The end of the game has been seen. */
  over(): void
}

export class Stage {
  /** The SETs that are outlined, and the squares of the turn that was last. */
  marks = $state.raw<readonly Mark[]>([])
  last = $state.raw<ReadonlySet<Square>>(new Set())
  #behind = $state.raw<CubedState | null>(null)
  #queue: Scene[] = []
  #current: Scene | null = null
  /** What is shown now has yet to be put into words. */
  #unsaid = $state(false)
  /** Counts the showings: what an earlier one would still do is void. */
  #showing = 0

  constructor(readonly company: Company) {}

  get #places(): Places {
    return this.company.places
  }

  /** The table as it is shown. */
  get state(): CubedState {
    return this.#behind ?? this.company.actual()
  }

  /** Whether there is still something to be shown. */
  get isBehind(): boolean {
    return this.#behind !== null
  }

  /** Whether what is shown has yet to be put into words: what is said about it comes after. */
  get isUnsaid(): boolean {
    return this.#unsaid
  }

  /** What happened since `before`. */
  play(before: CubedState, scenes: readonly Scene[]): void {
    if (!scenes.length) return
    this.#behind ??= before
    this.#queue.push(...scenes)
    if (!this.#current) this.resume()
  }

  /** Goes on, unless nobody is looking; whoever comes back sees the last round. */
  resume(): void {
    if (document.hidden || this.#current || !this.#queue.length) return
    const turns = this.#queue.flatMap(({ kind }, place) => (kind === 'turn' || kind === 'passed' ? [place] : []))
    this.#queue.splice(0, turns.slice(-this.state.seats)[0] ?? 0)
    void this.#run()
  }

  /** A turn again, on the board as it is. */
  showAgain(scene: Scene & { kind: 'turn' }): void {
    this.hurry()
    if (this.#current) return
    this.#queue = [{ ...scene, after: this.company.actual(), then: scene.after }]
    void this.#run()
  }

  /** At once where the table is; but the end is seen. */
  hurry(): void {
    if (!this.#current || this.#current.kind === 'over') return
    const left = [this.#current, ...this.#queue.splice(0)]
    this.#stop()
    left.forEach((scene, place) => {
      if (scene.kind !== 'over' && (place > 0 || this.#unsaid)) this.#say(scene)
      this.#outline(scene)
    })
    this.#catchUp()
    this.#queue = left.filter(({ kind }) => kind === 'over')
    if (this.#queue.length) void this.#run()
  }

  /** What was shown is over: something else begins. */
  clear(): void {
    if (this.marks.length) this.marks = []
  }

  close(): void {
    this.#queue = []
    this.#stop()
  }

  #stop(): void {
    this.#showing++
    this.#current = null
  }

  #catchUp(): void {
    this.#behind = null
    this.company.changed()
  }

  async #run(): Promise<void> {
    const showing = ++this.#showing
    for (let scene = this.#queue.shift(); scene; scene = this.#queue.shift()) {
      this.#current = scene
      this.#unsaid = true
      // What led here had its own part of the page to change.
      if (mayMove()) await nextTask()
      if (showing !== this.#showing) return
      for (const pause of this.#perform(scene)) {
        await (typeof pause === 'number' ? new Promise((resolve) => setTimeout(resolve, pause)) : pause)
        if (showing !== this.#showing) return
      }
    }
    this.#current = null
    this.#catchUp()
  }

  #say(scene: Scene): void {
    this.#unsaid = false
    this.company.say(scene)
  }

  /** Shows a scene, and yields for how long it must be seen before anything else is done. */
  *#perform(scene: Scene): Generator<number | Promise<void>> {
    const moves = mayMove()
    const from = moves ? this.#origins(scene) : []
    this.#behind = scene.after
    this.company.changed()
    if (!moves || scene.kind === 'quiet' || scene.kind === 'over') this.#say(scene)
    if (scene.kind === 'over') yield END_MS
    if (scene.kind === 'over') this.company.over()
    if (!moves) return this.#outline(scene)
    if (scene.kind === 'turn') this.#outline({ ...scene, marks: [] })
    else this.#outline(scene)
    if (this.#unsaid) {
      yield drawn()
      const fly = this.#move(scene, from)
      yield shown()
      fly()
      // The words come with the next frame.
      yield shown()
      this.#say(scene)
    }
    switch (scene.kind) {
      case 'turn':
        if (from.length) yield GLIDE_MS + DIE_APART * (from.length - 1)
        for (const mark of scene.marks) {
          this.marks = [...this.marks, mark]
          yield SET_MS
        }
        return yield TURN_REST
      case 'replaced':
        return yield REPLACE_MS
      case 'throw':
        // The race for the opening SET waits for nobody.
        if (scene.thrown.length && scene.why !== 'opening' && scene.why !== 'none') yield THROW_MS
        return
      case 'passed':
        return yield PASS_MS
    }
  }

  /** Lets the dice of a scene come from where they were to where they lie by now; what is returned lets them fly. */
  #move(scene: Scene, from: readonly (DOMRect | undefined)[]): () => void {
    const { onBoard, held } = this.#places
    if (scene.kind === 'turn' && from.length)
      return glide(scene.event.placements.map(({ square }, place) => ({ from: from[place], thing: onBoard(square), delay: place * DIE_APART })))
    if (scene.kind === 'replaced') {
      const { seat, square, taken } = scene.event
      return glide([{ from: from[0], thing: onBoard(square) }, { from: from[1], thing: held(seat, taken.number), tumbles: true }])
    }
    if (scene.kind === 'throw')
      void tumble(
        scene.thrown.map(({ seat, die, drawn: outOfBag }, place) => ({
          die: held(seat, die),
          delay: (place % HAND) * THROW_APART,
          bag: outOfBag ? from[0] : undefined,
        })),
      )
    return () => {}
  }

  /** The turn that is outlined now; a throw or a word leaves it as it is. */
  #outline(scene: Scene): void {
    if (scene.kind === 'turn') {
      this.marks = scene.marks
      this.last = new Set(scene.event.placements.map(({ square }) => square))
    } else if (scene.kind === 'replaced' || scene.kind === 'passed') this.marks = []
  }

  /** Where the dice of a scene are before it. What one lays by oneself is there already. */
  #origins(scene: Scene): (DOMRect | undefined)[] {
    const { places, me } = this.company
    const rect = (thing: HTMLElement | null | undefined) => thing?.getBoundingClientRect()
    const ofHeld = (seat: number, die: number) => rect(places.held(seat, die) ?? places.seat(seat))
    switch (scene.kind) {
      case 'turn': {
        const { seat, placements } = scene.event
        return seat === me() ? [] : placements.map(({ die }) => ofHeld(seat, die ?? 0))
      }
      case 'replaced':
        return [ofHeld(scene.event.seat, scene.event.die.number), rect(places.onBoard(scene.event.square))]
      case 'throw':
        return [rect(places.bag())]
      default:
        return []
    }
  }
}
