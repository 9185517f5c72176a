/** Puzzles are played alone or as a race, from pages of their own: no table is made for them, and they have no lesson. */

import { m } from '../../language.svelte'
import type { Playable } from '../module'

export const puzzles: Playable = {
  name: 'puzzles',
  title: () => m.puzzles(),
  pages: [
    { path: /^\/alone\/(?<kind>storm|again)$/, load: () => import('./Alone.svelte') },
    { path: /^\/embed\/daily$/, load: () => import('./Embed.svelte') },
  ],
  load: () => import('.'),
}
