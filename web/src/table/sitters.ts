/** Who sat on a seat when: it may change hands while a game runs, and what somebody did stays theirs. */

import type { GameEvent } from '../games/module'
import { m } from '../language.svelte'
import type { TakenOver } from '../protocol'
import { isolated, seatName } from '../words'

/** The names as they were when an event happened; `names` are those of now. */
export const namesAt = (names: readonly string[], taken: readonly TakenOver[], seq: number): string[] =>
  names.map((name, seat) => sitterAt(taken, seat, seq)?.name ?? name)

/** Who had a seat then and has it no more; undefined for who has it now. */
export function sitterAt(taken: readonly TakenOver[], seat: number, seq: number): { name: string; bot: string | null } | undefined {
  const { before, bots, until } = taken.find((one) => one.seat === seat) ?? { before: [], bots: [], until: [] }
  const place = until.findIndex((last) => seq <= last)
  return place < 0 ? undefined : { name: seatName(before[place]!, bots[place]), bot: bots[place] ?? null }
}

/** Whether an event tells that a seat is away or back. */
export const isPresence = ({ kind }: Pick<GameEvent, 'kind'>): boolean => kind === 'stepped_away' || kind === 'came_back'

/** Whether an event tells that a seat is away or back which a bot had then: a bot is always there. `bots` are those of now. */
export const isOfBot = (event: GameEvent, seq: number, taken: readonly TakenOver[], bots: readonly (string | null | undefined)[]): boolean =>
  isPresence(event) && Boolean((sitterAt(taken, event.seat ?? -1, seq) ?? { bot: bots[event.seat ?? -1] }).bot)

/** The person for whom the bot of a seat plays on. */
export function personBefore(taken: readonly TakenOver[], seat: number): string | undefined {
  const { before, bots } = taken.find((one) => one.seat === seat) ?? { before: [], bots: [] }
  return before.findLast((_, place) => !bots[place])
}

/** Each change of hands in words, and after which event it was; `names` and `bots` are those of now. */
export function changesOf(
  names: readonly string[],
  bots: readonly (string | null | undefined)[],
  taken: readonly TakenOver[],
): { seat: number; after: number; text: string }[] {
  return taken.flatMap(({ seat, before, bots: levels, until }) => {
    const earlier = before.map((name, place) => ({ name: seatName(name, levels[place]), bot: Boolean(levels[place]) }))
    const sitters = [...earlier, { name: names[seat] ?? '', bot: Boolean(bots[seat]) }]
    return until.map((after, place) => {
      const [left, now] = [sitters[place]!, sitters[place + 1]!]
      const name = isolated(now.name)
      const wasHere = sitters.slice(0, place).some((one) => !one.bot && one.name === now.name)
      if (!left.bot || now.bot) return { seat, after, text: m.plays_on_for({ name, before: isolated(left.name) }) }
      return { seat, after, text: wasHere ? m.is_back({ name }) : m.plays_for_a_bot({ name }) }
    })
  })
}
