/** What was just answered, where the next item lies there already: seen beside what is said of it, for a moment. */

import type { PuzzleEvent, PuzzleItem } from '../../protocol'
import type { State } from './rules'
import { answerSigns } from './words'

const PASSING_MS = 1500

export class Passing {
  signs = $state.raw<string[]>([])
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `over`: what was said has passed. */
  constructor(readonly over: () => void) {}

  /** After an answer that was right or wrong; in a daily the same cards still lie there, and it stays. */
  note({ options, items }: State, { number, right, picks }: PuzzleEvent & { kind: 'answered' }): void {
    this.stop()
    if (options.kind === 'daily_set') return
    const item: PuzzleItem | undefined = items[number - 1]
    // What would have been right is shown where it was asked.
    this.signs = right ? answerSigns(item, picks) : []
    this.#timer = setTimeout(() => {
      this.signs = []
      this.over()
    }, PASSING_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.signs = []
  }
}
