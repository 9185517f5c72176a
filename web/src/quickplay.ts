/** One click to a running game against a bot: of which strength, and how long, is remembered in this browser. */

import { makeTable } from './api'
import { GAMES, listingOf, loadGame } from './games'
import { optionsOf } from './options'
import { someone } from './person.svelte'
import { BOTS, type GameName, type NewTable, type Option } from './protocol'
import { keep, recall, settings } from './settings.svelte'

/** How strong the bot is that fits, by game: a place on the game's ladder. */
const LEVELS = 'tercet.level'
const WISHES = 'tercet.play'
const LAST = 'tercet.last'

export interface Wish {
  /** Empty: one that fits. */
  bot: string
  /** The value of the option that says how long a game is; null where there is none. */
  length: number | null
}

const levels = (): Record<string, number> => recall(LEVELS, {})

/** The game that was begun last by one click; the first one for somebody new. */
export const lastPlayed = (): string => recall<{ game?: string }>(LAST, {}).game ?? GAMES[0]!.name

export const botsOf = (game: string): readonly string[] => BOTS[game as GameName] ?? []

/** A won game against a bot brings a stronger one next time, a lost game a weaker one. */
export function learnFrom(game: string, won: boolean): void {
  const level = Math.max(0, (levels()[game] ?? 0) + (won ? 1 : -1))
  keep(LEVELS, { ...levels(), [game]: level })
}

const lengthOption = (game: string): Option | undefined =>
  optionsOf(game).find(({ group, kind }) => group === 'length' && kind === 'number')

/** How long a game may be chosen to be, shortest first. */
export function lengthsOf(game: string): number[] {
  const option = lengthOption(game)
  if (!option) return []
  const [least, most] = [option.least ?? 1, option.most ?? 1]
  return option.suggested.length ? [...option.suggested] : Array.from({ length: most - least + 1 }, (_, place) => least + place)
}

/** What was wished for last; what is not there any more is as it is the first time. */
export function wishFor(game: string): Wish {
  const lengths = lengthsOf(game)
  const kept = recall<Record<string, Partial<Wish>>>(WISHES, {})[game]
  const length = [kept?.length, listingOf(game)?.length?.first, lengthOption(game)?.default].find((one) =>
    lengths.includes(one as number),
  )
  return { bot: botsOf(game).includes(kept?.bot ?? '') ? kept!.bot! : '', length: (length as number | undefined) ?? null }
}

export const wish = (game: string, wished: Wish): void => keep(WISHES, { ...recall(WISHES, {}), [game]: wished })

/** The address of a new table with a bot, the wished one if none is named, where the game starts by itself. A gentle one has a
 * bot that waits, and hints: the first game of a kind is. */
export async function playNow(game: string, gently = !(game in levels()), against = ''): Promise<string> {
  await someone()
  const { bot, length } = wishFor(game)
  const ladder = botsOf(game)
  const name = against || bot || ladder[gently ? 0 : Math.min(levels()[game] ?? 0, ladder.length - 1)]
  if (!name) throw new Error('no bots')
  // Whoever has slow hands has time here, too.
  const wished = { [lengthOption(game)?.name ?? '']: length, show_seconds: settings.showSeconds }
  const table: NewTable = {
    game: game as GameName,
    options: Object.fromEntries(optionsOf(game).flatMap(({ name }) => (name in wished ? [[name, wished[name]]] : []))),
    seats: [{ kind: 'person' }, { kind: 'bot', bot: gently ? `${name}:gentle` : name }],
    practice: gently,
    quick_bots: settings.quickBots,
  }
  const [{ code }] = await Promise.all([makeTable(table), loadGame(game)])
  keep(LAST, { game })
  return `/t/${code}?start`
}
