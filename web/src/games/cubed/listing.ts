import { m } from '../../language.svelte'
import type { Listing } from '../module'

export const cubed: Listing = {
  name: 'cubed',
  title: 'Set Cubed',
  signs: ['2RO', '2GO', '2PO'],
  about: () => m.start_cubed(),
  playNow: () => m.play_cubed_now(),
  lesson: {
    title: () => m.learn_cubed_title(),
    text: () => m.learn_cubed_text(),
    sign: '2PS',
    load: () => import('./Learn.svelte'),
  },
  drills: {
    all: [
      { name: 'third-die', title: () => m.drill_third_die(), text: () => m.drill_third_die_text() },
      { name: 'best-turn', title: () => m.drill_best_turn(), text: () => m.drill_best_turn_text() },
      { name: 'wilds', title: () => m.drill_wilds(), text: () => m.drill_wilds_text() },
      { name: 'extra-roll', title: () => m.drill_extra_roll(), text: () => m.drill_extra_roll_text() },
    ],
    load: () => import('./drills/Drill.svelte'),
  },
  chapters: () => import('./chapters'),
  load: () => import('.'),
}
