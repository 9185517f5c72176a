/** The full rules of both games, chapter by chapter, in the language in use. */

import { m } from '../language.svelte'
import { whyNotThree } from '../words'

interface Chapter {
  title: string
  lines: string[]
  examples?: { signs: string[]; text: string }[]
}

const example = (...signs: string[]) => ({ signs, text: m.it_is_a_set() })
const counterexample = (...signs: string[]) => ({ signs, text: m.not_a_set({ why: whyNotThree(signs) }) })

export const RULES: Record<'set' | 'cubed', () => Chapter[]> = {
  set: () => [
    {
      title: m.rules_a_set(),
      lines: [m.rules_set_features(), m.rules_set_definition()],
      examples: [example('1RFD', '2GHO', '3PES'), example('2RHS', '2GHS', '2PHS'), counterexample('1GFO', '2GFO', '3GFS')],
    },
    { title: m.rules_deal(), lines: [m.rules_set_deal(), m.rules_set_call(), m.rules_set_wrong()] },
    { title: m.rules_table(), lines: [m.rules_set_refill(), m.rules_set_none()] },
    { title: m.rules_end(), lines: [m.rules_set_round_end(), m.rules_set_game_end()] },
    { title: m.rules_variants(), lines: [m.rules_set_simplified(), m.rules_set_options()] },
    { title: m.rules_rulings(), lines: [m.rules_set_rulings()] },
  ],
  cubed: () => [
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
  ],
}
