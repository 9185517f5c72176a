/** Where we are: the path and query of the address bar, changed by links without a reload. */

import { hush } from './announce.svelte'
import { below, isOurs, to } from './base'
import { leavePage } from './focus'

// Each by itself, so that a page whose query changes is not opened again.
let path = $state(whereNow())
let query = $state.raw(new URLSearchParams(location.search))

/** A slash at the end means nothing. */
function whereNow(): string {
  return below(location.pathname).replace(/(?<=.)\/+$/, '')
}

function look(): void {
  path = whereNow()
  query = new URLSearchParams(location.search)
}

addEventListener('popstate', () => {
  if (whereNow() !== path) leavePage()
  look()
})

export const here = {
  get path(): string {
    return path
  },
  get query(): URLSearchParams {
    return query
  },
}

/** Go to a path of the site, or to another query of the same page. */
export function go(where: string, { replace = false } = {}): void {
  if (!replace && where.startsWith('/') && where.split('?')[0] !== path) leavePage()
  history[replace ? 'replaceState' : 'pushState'](null, '', where.startsWith('/') ? to(where) : where)
  look()
  if (replace) return
  scrollTo(0, 0)
  hush()
}

/** Follows a click on any link of ours that has no other meaning. */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !plain || event.defaultPrevented || !isOurs(link)) return
  if (link.target || link.hasAttribute('download') || below(link.pathname).startsWith('/api')) return
  if (link.hash && link.pathname === location.pathname) return
  event.preventDefault()
  go(below(link.pathname) + link.search)
}
