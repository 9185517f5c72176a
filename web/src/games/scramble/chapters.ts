/** The full rules of Scramble, chapter by chapter, in the language in use. */

import { m } from '../../language.svelte'
import { counterexample, example } from '../chapters'
import type { Chapter } from '../module'

export const chapters = (): Chapter[] => [
  {
    title: m.rules_a_set(),
    lines: [m.rules_scramble_features(), m.rules_set_definition(), m.rules_scramble_wild()],
    examples: [
      example('2RO', '2RO', '2RO'),
      example('1RS', '2GO', '3PD'),
      example('1GD', 'W', '3PD'),
      counterexample('1RO', '2RO', '3RS'),
    ],
  },
  { title: m.rules_deal(), lines: [m.rules_scramble_throw(), m.rules_scramble_call(), m.rules_scramble_take(), m.rules_scramble_wrong()] },
  { title: m.rules_end(), lines: [m.rules_scramble_round_end(), m.rules_scramble_game_end()] },
  { title: m.rules_variants(), lines: [m.rules_scramble_options()] },
  { title: m.rules_rulings(), lines: [m.rules_scramble_rulings()] },
]
