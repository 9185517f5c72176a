/** Somebody's runs of a kind, and the ghost they run against: what the bar and the pages before and after a run share. */

import type { MyRuns, RunName } from '../protocol'
import type { Ghost } from './ghost'
import { findGhost } from './ghosts'
import { myRuns } from './requests'

export class Runs {
  mine = $state.raw<MyRuns | null>(null)
  /** The best before the run that is over. */
  before = $state.raw<MyRuns | null>(null)
  ghost = $state.raw<Ghost | null>(null)
  /** Whether it is known which ghost there is. */
  looked = $state(false)

  constructor(readonly kind: RunName) {
    void this.look()
  }

  async look(): Promise<void> {
    try {
      this.mine = await myRuns(this.kind)
      await this.changeGhost()
    } catch {
      // Without them it is played all the same.
    }
    this.looked = true
  }

  async changeGhost(): Promise<void> {
    this.ghost = await findGhost(this.kind, this.mine).catch(() => null)
  }

  /** A run is over: what there was before stays to compare with. The ghost stays until the next one begins. */
  async noteEnd(game: string): Promise<void> {
    if (this.mine?.runs.some((run) => run.game === game)) return
    this.before = this.mine
    this.mine = await myRuns(this.kind).catch(() => this.mine)
  }
}
