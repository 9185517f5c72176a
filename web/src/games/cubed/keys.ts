/** The keys of the dice table. */

import { m } from '../../language.svelte'
import { CALL, COMMON, SEE_NONE, type KeyGuide, type Shortcut } from '../../table/keys'

export const NEXT_SQUARE: Shortcut = { action: 'next_square', code: 'KeyN', says: () => m.key_next_square() }
export const DO_IT: Shortcut = { action: 'do_it', code: 'KeyD', says: () => m.key_do_it() }

export const keys: KeyGuide = {
  shortcuts: [CALL, SEE_NONE, NEXT_SQUARE, DO_IT, ...COMMON],
  fixed: [
    { keys: () => m.key_space(), says: () => m.key_space_says() },
    { keys: () => '1 … 5', says: () => m.key_dice() },
    { keys: () => '← ↑ → ↓, Enter', says: () => m.key_arrows_board() },
    { keys: () => 'Backspace', says: () => m.key_take_back() },
    { keys: () => 'Esc', says: () => m.key_take_all_back() },
  ],
}
