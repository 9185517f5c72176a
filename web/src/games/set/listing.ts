import { m } from '../../language.svelte'
import type { Listing } from '../module'

export const set: Listing = {
  name: 'set',
  title: 'Set',
  signs: ['1RFD', '2GHO', '3PES'],
  about: () => m.start_set(),
  playNow: () => m.play_set_now(),
  length: { first: 1, words: (count) => m.decks({ count }) },
  lesson: {
    title: () => m.learn_set_title(),
    text: () => m.learn_set_text(),
    sign: '2RHO',
    load: () => import('./Learn.svelte'),
  },
  drills: {
    all: [
      { name: 'third', title: () => m.drill_third(), text: () => m.drill_third_text() },
      { name: 'judge', title: () => m.drill_judge(), text: () => m.drill_judge_text() },
      { name: 'all', title: () => m.drill_all(), text: () => m.drill_all_text() },
    ],
    load: () => import('./drills/Drill.svelte'),
  },
  pages: [{ path: /^\/alone\/(?<kind>sprint|sprint_ten)$/, load: () => import('./Alone.svelte') }],
  chapters: () => import('./chapters'),
  load: () => import('.'),
}
