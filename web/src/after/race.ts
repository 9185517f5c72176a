/** What the games have in common when they are over in which everybody looks for a SET at once. */

import type { AfterGame, Story } from '../games/module'
import { paceOf, raceStory } from '../games/racestory'
import { m } from '../language.svelte'
import { decimal } from '../locale'
import { nameIn } from '../table/racewords'
import { clockTime } from './chart'
import RaceResult from './RaceResult.svelte'

export const RACE: Pick<AfterGame, 'aloneTitle' | 'summary' | 'figures' | 'Result' | 'quietWords'> = {
  aloneTitle: ({ entries }) => m.done_in({ time: clockTime(raceStory(entries).time) }),
  summary({ entries, names, seat }) {
    const { time, finds, misses } = raceStory(entries)
    const mine = misses.filter((miss) => miss.seat === seat).length
    const others = seat !== null && names.length > 1
    const wrong = !misses.length ? m.no_wrong_call() : others ? m.your_wrong_calls({ count: mine }) : m.wrong_calls({ count: misses.length })
    return [...(names.length > 1 ? [clockTime(time)] : []), m.sets_found({ count: finds.length }), wrong]
  },
  figures({ entries, names }: Story) {
    const race = raceStory(entries)
    const wrong = names.map((_, seat) => race.misses.filter((miss) => miss.seat === seat).length)
    return [
      { title: m.sets_a_minute(), values: names.map((_, seat) => decimal(paceOf(race, seat))) },
      { title: m.wrong_calls_word(), values: wrong.map(String) },
    ]
  },
  Result: RaceResult,
  quietWords: ({ kind, seat = 0 }, names) => ({
    text: kind === 'took_back' ? m.looks_again({ name: nameIn(names, seat) }) : '',
    signs: [],
  }),
}
