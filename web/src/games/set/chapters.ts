/** The full rules of the card game, chapter by chapter, in the language in use. */

import { m } from '../../language.svelte'
import { counterexample, example } from '../chapters'
import type { Chapter } from '../module'

export const chapters = (): Chapter[] => [
  {
    title: m.rules_a_set(),
    lines: [m.rules_set_features(), m.rules_set_definition()],
    examples: [example('1RFD', '2GHO', '3PES'), example('2RHS', '2GHS', '2PHS'), counterexample('1GFO', '2GFO', '3GFS')],
  },
  { title: m.rules_deal(), lines: [m.rules_set_deal(), m.rules_set_call(), m.rules_set_wrong()] },
  { title: m.rules_table(), lines: [m.rules_set_refill(), m.rules_set_none()] },
  { title: m.rules_end(), lines: [m.rules_set_round_end(), m.rules_set_game_end()] },
  {
    title: m.rules_variants(),
    lines: [
      m.rules_set_simplified(),
      m.rules_set_options(),
      m.rules_set_chain(),
      m.rules_set_ultra(),
      m.rules_set_ghost(),
      m.rules_set_shuffle(),
      m.rules_set_junior(),
    ],
  },
  { title: m.rules_rulings(), lines: [m.rules_set_rulings()] },
]
