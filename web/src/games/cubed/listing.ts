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
  chapters: () => import('./chapters'),
  load: () => import('.'),
}
