/** The full rules of the dice game, chapter by chapter, in the language in use. */

import { m } from '../../language.svelte'
import { counterexample, example } from '../chapters'
import type { Chapter } from '../module'

export const chapters = (): Chapter[] => [
  {
    title: m.rules_a_set(),
    lines: [m.rules_cubed_features(), m.rules_set_definition(), m.rules_cubed_identical()],
    examples: [example('2RO', '2RO', '2RO'), example('1RD', '2GO', '3PS'), counterexample('1RO', '2RO', '3RS')],
  },
  { title: m.rules_setup(), lines: [m.rules_cubed_setup(), m.rules_cubed_opening(), m.rules_cubed_opening_wrong()] },
  { title: m.rules_turn(), lines: [m.rules_cubed_turn(), m.rules_cubed_new_set(), m.rules_cubed_every_die(), m.rules_cubed_lines()] },
  { title: m.rules_points(), lines: [m.rules_cubed_points(), m.rules_cubed_bonus()] },
  { title: m.rules_wild(), lines: [m.rules_cubed_wild(), m.rules_cubed_wild_points(), m.rules_cubed_replace()] },
  { title: m.rules_rounds(), lines: [m.rules_cubed_round(), m.rules_cubed_extra_roll(), m.rules_cubed_stuck()] },
  { title: m.rules_end(), lines: [m.rules_cubed_end()] },
  { title: m.rules_rulings(), lines: [m.rules_cubed_rulings()] },
]
