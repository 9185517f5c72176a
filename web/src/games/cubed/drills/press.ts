/** The keys of dice and squares where there is no table: those who learn use them, too. */

import type { Die } from '../../../protocol'
import { settings } from '../../../settings.svelte'
import { actionOf, isForTable } from '../../../table/keys'
import { NEXT_SQUARE } from '../keys'

interface BoardKeys {
  focus(): void
  focusNext(squares: readonly string[], back: boolean): boolean
}

/** `fitting`: the squares where the chosen die goes. */
export function pressDice(
  event: KeyboardEvent,
  hand: readonly Die[],
  pick: (number: number) => void,
  board: BoardKeys | undefined,
  fitting: () => readonly string[],
): void {
  if (!isForTable(event)) return
  const digit = settings.shortcuts ? /^Digit([1-5])$/.exec(event.code)?.[1] : undefined
  const die = digit && hand[Number(digit) - 1]
  if (die) {
    pick(die.number)
    board?.focus()
  } else if (actionOf(event, [NEXT_SQUARE])) board?.focusNext(fitting(), event.shiftKey)
}
