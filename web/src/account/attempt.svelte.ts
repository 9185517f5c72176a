import { ApiError } from '../api'

/** What a form asks of the server: whether it is under way, and what went wrong the last time. */
export class Attempt {
  busy = $state(false)
  error = $state.raw<unknown>(null)

  /** The server's word for what went wrong. */
  get code(): string {
    return this.error instanceof ApiError ? this.error.code : ''
  }

  /** Whether it went well; while one attempt is under way there is no second. */
  async run(work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.error = null
    try {
      await work()
      return true
    } catch (problem) {
      this.error = problem
      return false
    } finally {
      this.busy = false
    }
  }
}
