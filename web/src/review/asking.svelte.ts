/** The review of a game: asked for, waited for, and asked about. */

import { ask } from '../api'
import type { Command } from '../games/module'
import { someone } from '../person.svelte'
import type { AskForReview, Judged, ReviewNews, ReviewState } from '../protocol'

const LOOK_AGAIN_MS = 2000

const addressOf = (game: string): string => `/games/${encodeURIComponent(game)}/review`

export class Asking {
  state = $state.raw<ReviewState | null>(null)
  /** Why it could not be asked for, or seen. */
  error: unknown = $state.raw(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /** `told`: somebody hears of it at the table, so there is no need to look again and again. */
  constructor(
    readonly game: string,
    readonly told = false,
  ) {}

  /** What there is of it; while it is being made, again and again. */
  async look(): Promise<void> {
    await this.#take(() => ask<ReviewState>('GET', addressOf(this.game)))
  }

  async request(deeper = false): Promise<void> {
    const wish: AskForReview = { deeper }
    await this.#take(async () => {
      await someone()
      return ask<ReviewState>('POST', addressOf(this.game), wish)
    })
  }

  /** What is said about it at the table. */
  hear({ making, ready }: ReviewNews): void {
    if (ready) void this.look()
    else if (this.state) this.state = { ...this.state, making }
  }

  judge(line: number, command: Command): Promise<Judged> {
    return ask('POST', `${addressOf(this.game)}/what-if`, { line, command })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #take(answer: () => Promise<ReviewState>): Promise<void> {
    clearTimeout(this.#timer)
    try {
      this.state = await answer()
      this.error = null
    } catch (problem) {
      this.error = problem
    }
    if (this.state?.making && !this.told && !this.#closed) this.#timer = setTimeout(() => void this.look(), LOOK_AGAIN_MS)
  }
}
