/** What happens in puzzles, in words. */

import { m } from '../../language.svelte'
import type { PuzzleEvent, PuzzleItem } from '../../protocol'
import { POINT_MS } from '../../runs/kinds'
import type { News } from '../../table/news'
import { describe, isolated, whyNotThree } from '../../words'
import type { EventWords, Place } from '../module'
import { bonusOf, doneBy, ERROR_MS, wholeOf, type State } from './rules'
import { shortBy } from './short'

export const question = ({ asked, of }: PuzzleItem, chance = false): string => {
  switch (asked) {
    case 'third':
      return of === 'cards' ? m.puzzle_third() : m.puzzle_third_die()
    case 'is_set':
      return m.puzzle_is_set()
    case 'find':
      return m.puzzle_find()
    case 'find_all':
      return m.puzzle_find_all()
    case 'best_turn':
      return chance ? m.puzzle_best_chance() : m.puzzle_best_turn()
  }
}

/** An item for those who do not see it: what is asked, what lies there, and the answers with their keys. */
export function asksText(item: PuzzleItem, chance = false): string {
  const { asked, shown, choices } = item
  if (asked === 'best_turn') return question(item, chance)
  const answers = choices.map((sign, place) => `${place + 1}: ${describe(sign)}`).join('; ')
  const ends = /[.?!]$/.test(question(item)) ? '' : ':'
  return [`${question(item)}${ends}`, `${shown.map(describe).join('; ')}.`, ...(asked === 'third' ? [m.puzzle_answers({ answers })] : [])].join(' ')
}

/** Which of the boards of a dice sprint one is at. */
export function boardText(state: State, seat: number): string | null {
  const whole = wholeOf(state)!
  return state.options.kind === 'boards' ? m.puzzle_board_of({ number: Math.min(doneBy(state, seat) + 1, whole), whole }) : null
}

/** What a turn on a board came to, against the best where points count. */
function laidNews(state: State, event: PuzzleEvent & { kind: 'answered' }): News {
  const [count, short] = [event.points, shortBy(state, event)]
  if (short) return { text: m.puzzle_laid_short({ count, best: count + short, seconds: (short * POINT_MS) / 1000 }), sound: 'missed', tone: 'bad' }
  return { text: state.options.kind === 'boards' ? m.puzzle_laid_best({ count, best: count }) : m.puzzle_laid({ count }), sound: 'took', tone: 'good' }
}

/** What is wrong with an answer. */
function whyWrong(item: PuzzleItem | undefined, picks: readonly number[] | null): string {
  const signs = answerSigns(item, picks)
  if (item?.asked === 'is_set' && picks?.[0] === 0) return m.it_is_a_set()
  return signs.length === 3 ? m.not_a_set({ why: whyNotThree(signs) }) : ''
}

/** The cards or dice that an answer is about; none of a turn, which is seen on its board. */
export function answerSigns(item: PuzzleItem | undefined, picks: readonly number[] | null): string[] {
  if (!item || !picks || item.asked === 'best_turn') return []
  if (item.asked === 'third') return [...item.shown, item.choices[picks[0]!]!]
  return item.asked === 'is_set' ? [...item.shown] : picks.map((place) => item.shown[place]!)
}

export function eventWords(event: PuzzleEvent, names: readonly string[], after?: State): EventWords {
  if (event.kind === 'answered') {
    const name = isolated(names[event.seat] ?? '')
    const item = after?.items[event.number - 1]
    const signs = answerSigns(item, event.picks)
    if (item?.asked === 'best_turn') return { text: m.puzzle_log_laid({ name, count: event.points }), signs }
    // Alone one knows what one answered; only in a replay is it told.
    if (names.length === 1) return { text: !after ? '' : event.right ? m.right() : m.wrong(), signs }
    return { text: event.right ? m.puzzle_log_right({ name }) : m.puzzle_log_wrong({ name }), signs }
  }
  if (event.kind === 'stopped' && event.why !== 'solved') return { text: m.puzzle_log_stopped({ name: isolated(names[event.seat] ?? '') }), signs: [] }
  if (event.kind === 'lined_up') return { text: m.puzzle_line_up(), signs: [] }
  return { text: event.kind === 'ended' ? m.game_over() : '', signs: [] }
}

export function eventNews(event: PuzzleEvent, { state, seat }: Place<State>): News | null {
  if (event.kind === 'lined_up') return { text: m.puzzle_line_up() }
  if (event.kind !== 'answered') return event.kind === 'ended' ? { text: m.game_over() } : null
  if (event.seat !== seat) return null
  const { kind } = state.options
  const runner = state.runners[seat]!
  if (state.items[event.number - 1]?.asked === 'best_turn') return laidNews(state, event)
  if (!event.right) {
    const timed = runner.until !== null || kind === 'daily_set'
    const text = timed ? m.puzzle_wrong({ seconds: ERROR_MS / 1000 }) : m.wrong()
    const why = whyWrong(state.items[event.number - 1], event.picks)
    const news: News = { text, tone: 'bad', sound: 'missed' }
    // In the daily the same cards still lie there, and there is time to read; elsewhere the next item does.
    return kind === 'daily_set' ? { ...news, text: `${text} ${why}` } : { ...news, spoken: why }
  }
  const bonus = bonusOf(kind, runner.combo)
  if (bonus) return { text: m.puzzle_combo({ count: runner.combo, seconds: bonus / 1000 }), tone: 'good', sound: 'took' }
  if (kind === 'daily_set') return { text: m.puzzle_found_of({ found: runner.found.length, count: 6 }), tone: 'good', sound: 'took' }
  return { text: m.right(), tone: 'good', sound: 'took' }
}
