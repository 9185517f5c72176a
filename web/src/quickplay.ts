/** One click to a running game against a bot of fitting level. */

import { gamesOffered, makeTable } from './api'
import { loadGame } from './games'
import { someone } from './person.svelte'
import type { NewTable } from './protocol'
import { keep, recall, settings } from './settings.svelte'

const PLACE = 'tercet.level'
const FIRST_LEVEL = 1

const levels = (): Record<string, number> => recall(PLACE, {})

/** A won game against a bot brings a stronger one next time, a lost game a weaker one. */
export function learnFrom(game: string, won: boolean): void {
  const level = Math.max(0, (levels()[game] ?? FIRST_LEVEL) + (won ? 1 : -1))
  keep(PLACE, { ...levels(), [game]: level })
}

/** The address of a new table with a bot, where the game starts by itself. */
export async function playNow(game: string): Promise<string> {
  const [offered] = await Promise.all([gamesOffered(), someone()])
  const bots = offered.find(({ name }) => name === game)?.bots ?? []
  const bot = bots[Math.min(levels()[game] ?? FIRST_LEVEL, bots.length - 1)]
  if (!bot) throw new Error('no bots')
  const table: NewTable = {
    game: game as NewTable['game'],
    seats: [{ kind: 'person' }, { kind: 'bot', bot: bot.name }],
    quick_bots: settings.quickBots,
  }
  const [{ code }] = await Promise.all([makeTable(table), loadGame(game)])
  return `/t/${code}?start`
}
