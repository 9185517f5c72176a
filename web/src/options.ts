/** The options of a game as data: which there are, what they are by default, and which of them can be chosen now. */

import { OPTIONS, type GameName, type Option } from './protocol'

export type Chosen = Readonly<Record<string, unknown>>

/** The options of a game, as it was when the site was built. */
export const optionsOf = (game: string): readonly Option[] => OPTIONS[game as GameName] ?? []

export const usual = (options: readonly Option[]): Record<string, unknown> =>
  Object.fromEntries(options.map((option) => [option.name, option.default]))

/** Whether this option can be chosen beside the others; if not, it stays at its default. */
export const applies = ({ only_with }: Option, chosen: Chosen): boolean =>
  !only_with.length ||
  only_with.some((line) => Object.entries(line).every(([name, values]) => values.includes(chosen[name])))

/** Something built in is named with its fingerprint. */
const isUsual = ({ kind, default: usual }: Option, value: unknown): boolean =>
  value === usual || (kind === 'named' && typeof value === 'string' && value.split(':')[0] === usual)

/** What differs from the default, of what applies. */
export function differing(options: readonly Option[], chosen: Chosen): [Option, unknown][] {
  const full = { ...usual(options), ...chosen }
  return options
    .filter((option) => applies(option, full) && !isUsual(option, full[option.name]))
    .map((option) => [option, full[option.name]])
}
