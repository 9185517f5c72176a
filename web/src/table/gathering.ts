/** What happens at a table before a game, for those who do not see its seats. */

import { m } from '../language.svelte'
import type { Seat } from '../protocol'
import { isolated } from '../words'

/** Who sat down, left or is ready, told to the person `you`, who knows of their own doing. */
export function gatheringNews(before: readonly Seat[], after: readonly Seat[], you: string | undefined): string {
  const others = (seats: readonly Seat[]) => seats.filter(({ person }) => person && person !== you)
  const sameIn = (seats: readonly Seat[], { person }: Seat) => seats.find((one) => one.person === person)
  const words = ({ name }: Seat) => ({ name: isolated(name) })
  const left = others(before).filter((seat) => !sameIn(after, seat))
  const here = others(after).map((seat) => ({ seat, was: sameIn(before, seat) }))
  return [
    ...left.map((seat) => m.leaves_the_table(words(seat))),
    ...here.flatMap(({ seat, was }) => (was ? [] : [m.sits_down(words(seat))])),
    ...here.flatMap(({ seat, was }) =>
      seat.ready === (was?.ready ?? false) ? [] : [seat.ready ? m.is_ready(words(seat)) : m.is_not_ready(words(seat))],
    ),
  ].join(' ')
}
