/** Where we are: the path and query of the address bar, changed by links without a reload. */

let address = $state.raw(new URL(location.href))

addEventListener('popstate', () => (address = new URL(location.href)))

export const here = {
  get path(): string {
    return address.pathname
  },
  get query(): URLSearchParams {
    return address.searchParams
  },
}

export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  address = new URL(location.href)
  if (!replace) scrollTo(0, 0)
}

/** Follows a click on any link of ours that has no other meaning. */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !plain || event.defaultPrevented || link.origin !== location.origin) return
  if (link.target || link.hasAttribute('download') || link.pathname.startsWith('/api')) return
  if (link.hash && link.pathname === location.pathname) return
  event.preventDefault()
  go(link.pathname + link.search)
}
