/** Options in words. Their messages have names by rule, so that a new option needs nothing else here. */

import type { GameModule } from './games/module'
import { m, messageNamed } from './language.svelte'
import { differing, type Chosen } from './options'
import type { Option } from './protocol'
import { duration, isolated } from './words'

type Words = Pick<GameModule, 'optionValue'>

export const optionLabel = ({ name }: Option): string => messageNamed(`option_${name}`)?.({}) ?? name

/** A value of an option: "Call first, then show", "5 seconds to show", "No limit". */
export function valueText({ name, kind }: Option, value: unknown, game: Words): string {
  if (value === null) return messageNamed(`option_${name}_none`)?.({}) ?? m.no_limit()
  const own = game.optionValue?.(name, value)
  if (own !== undefined) return own
  if (kind !== 'number') return messageNamed(`option_${name}_${String(value)}`)?.({}) ?? String(value)
  return messageNamed(`option_${name}_value`)?.({ count: value }) ?? duration(Number(value))
}

/** Something that has a name and much in it, such as an edition of somebody's own. */
const nameOf = (value: { title?: string; name?: string }): string => value.title || (value.name ?? '')

/** What is played otherwise than usual. */
export function optionWords(options: readonly Option[], chosen: Chosen, game: Words): string[] {
  return differing(options, chosen).map(([option, value]) => {
    if (option.kind === 'switch') return switchText(option, value)
    if (typeof value === 'object' && value !== null) return `${optionLabel(option)}: ${isolated(nameOf(value))}`
    const text = valueText(option, value, game)
    const speaksForItself = option.kind !== 'number' || messageNamed(`option_${option.name}_value`) !== undefined
    return speaksForItself ? text : `${optionLabel(option)}: ${text}`
  })
}

/** A switch that is usually on says what it means that it is off. */
const switchText = (option: Option, value: unknown): string =>
  (value ? undefined : messageNamed(`option_${option.name}_off`)?.({})) ?? optionLabel(option)
