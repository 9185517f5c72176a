/** Which ghosts there are for a kind of run, and which one this browser runs against. */

import { m, messageNamed } from '../language.svelte'
import type { MyRuns, RunName } from '../protocol'
import { keep, recall } from '../settings.svelte'
import { evenGhost, ghostOf, type Ghost } from './ghost'
import { boardOf } from './requests'

const GHOSTS = ['none', 'best', 'average', 'last', 'day', 'run', 'friend', 'bot'] as const
export type GhostName = (typeof GHOSTS)[number]

const PLACE = 'tercet.ghost'
interface Chosen {
  ghost: GhostName
  /** The one that was chosen on a board. */
  run?: { kind: RunName; game: string; seat: number; name: string }
}

/** How many SETs a sprint of a bot has, and how long the bot of the middle takes for one when it is alone (docs/lab-notes.md). */
const BOT_SETS: Partial<Record<RunName, number>> = { sprint: 24, sprint_ten: 10 }
const BOT_MS = 5100

/** A run of another kind is none to run against. */
export function chosenGhost(kind: RunName): Chosen {
  const chosen = recall<Chosen>(PLACE, { ghost: 'best' })
  return chosen.ghost === 'run' && chosen.run?.kind !== kind ? { ...chosen, ghost: 'best' } : chosen
}
export const chooseGhost = (chosen: Chosen): void => keep(PLACE, chosen)
export const ghostName = (ghost: GhostName): string => messageNamed(`run_ghost_${ghost}`)?.({}) ?? ghost

/** Those that there can be: not every kind has a bot, and a run has to be chosen first. */
export function ghostsOf(kind: RunName): { ghost: GhostName; name: string }[] {
  const { run } = chosenGhost(kind)
  return GHOSTS.filter((ghost) => (ghost !== 'bot' || kind in BOT_SETS) && (ghost !== 'run' || run?.kind === kind)).map((ghost) => ({
    ghost,
    name: ghost === 'run' ? run!.name : ghostName(ghost),
  }))
}

/** The ghost that was chosen, or null if there is none of this kind yet. */
export async function findGhost(kind: RunName, mine: MyRuns | null): Promise<Ghost | null> {
  const { ghost, run } = chosenGhost(kind)
  const named = ghostName(ghost)
  switch (ghost) {
    case 'none':
      return null
    case 'best':
      return mine?.best ? ghostOf(mine.best.game, mine.best.seat, named) : null
    case 'last':
      return mine?.last ? ghostOf(mine.last.game, mine.last.seat, named) : null
    case 'average': {
      const count = mine?.best?.points
      return mine?.average_ms && count ? evenGhost(named, mine.average_ms, count) : null
    }
    case 'bot': {
      const count = BOT_SETS[kind]
      return count ? evenGhost(m.bot_regular(), BOT_MS * count, count) : null
    }
    case 'run':
      return run ? ghostOf(run.game, run.seat, run.name) : null
    case 'day':
    case 'friend': {
      const { lines } = await boardOf(kind, ghost === 'day' ? 'day' : 'ever', ghost === 'day' ? 'all' : 'company')
      const line = lines.find(({ you }) => ghost === 'day' || !you)
      return line ? ghostOf(line.game, line.seat, line.name) : null
    }
  }
}
