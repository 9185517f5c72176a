import { m } from '../language.svelte'
import type { CardOptions, CubedOptions, GameInfo } from '../protocol'
import { valueName } from '../words'

/** The options of a table that differ from the leaflet's game, in words. */
export function optionWords(game: GameInfo['name'], options: CardOptions | CubedOptions): string[] {
  return game === 'set' ? cardWords(options as CardOptions) : cubedWords(options as CubedOptions)
}

function cardWords(options: CardOptions): string[] {
  return [
    ...(options.rounds ? [m.option_rounds({ count: options.rounds })] : []),
    ...(options.show_seconds && options.show_seconds !== 5 ? [m.option_show_seconds({ count: options.show_seconds })] : []),
    ...(options.only ? [m.option_only({ value: valueName(options.only) })] : []),
    ...(options.table === 9 ? [m.option_table_9()] : []),
    ...(options.claim === 'instant' ? [m.option_instant()] : []),
    ...(options.honest_none ? [m.option_honest_none()] : []),
    ...(options.auto_deal ? [m.option_auto_deal()] : []),
    ...(options.penalty === 'point' ? [m.option_penalty_point()] : []),
  ]
}

function cubedWords(options: CubedOptions): string[] {
  return [
    ...(options.edition === 'dutch' ? [m.option_edition_dutch()] : []),
    ...(options.turn_seconds ? [`${m.option_turn_time()}: ${duration(options.turn_seconds)}`] : []),
    ...(options.extra_seconds ? [`${m.option_extra_time()}: ${duration(options.extra_seconds)}`] : []),
  ]
}

export function duration(seconds: number): string {
  if (seconds >= 86400) return m.days({ count: Math.round(seconds / 86400) })
  if (seconds >= 60) return m.minutes({ count: Math.round(seconds / 60) })
  return m.seconds({ count: seconds })
}
