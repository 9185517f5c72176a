import { m } from '../../language.svelte'
import type { Listing } from '../module'

export const scramble: Listing = {
  name: 'scramble',
  title: 'Scramble',
  signs: ['1RS', 'W', '3PD'],
  about: () => m.start_scramble(),
  playNow: () => m.play_scramble_now(),
  length: { words: (count) => m.option_rounds_value({ count }) },
  lesson: {
    title: () => m.learn_scramble_title(),
    text: () => m.learn_scramble_text(),
    sign: 'W',
    load: () => import('./Learn.svelte'),
  },
  chapters: () => import('./chapters'),
  load: () => import('.'),
}
