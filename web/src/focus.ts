/** Where the keyboard is. When what had the focus is gone, the nearest place that is still there gets it: never the page. */

/** What had the focus last, and everything around it, the innermost first. */
let path: readonly Element[] = []
let byPointer = false
let ours = false
let reached = false

/** Whether the focus was brought to where it is by keys, or by a screen reader: not by a click, a tap or the site itself. */
export const reachedByKeys = (): boolean => reached

/** In the order of preference: what names itself, the stop of a group that arrow keys move in, the heading, anything
 * that can be pressed; but no link: it might lead away. */
const HOMES = [
  '[data-home]',
  ':is([role=toolbar], [role=grid]) [tabindex="0"]:not(:disabled)',
  'h1',
  ':is(button, input, select):not(:disabled, [tabindex="-1"])',
]

const isThere = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0

const homeIn = (place: Element): HTMLElement | undefined =>
  HOMES.flatMap((home) => [...place.querySelectorAll<HTMLElement>(home)].find(isThere) ?? [])[0]

const GROUP = '[role=toolbar], [role=grid], [role=group]'

function goHome(from: readonly Element[]): void {
  const group = from.find((one) => one.matches(GROUP))
  // A page that is still on its way has no home yet; the next thing that appears asks again.
  const page = document.querySelector('main')
  for (const place of [...from.slice(1).filter((one) => one.closest('#app > *')), page]) {
    const home = place && isThere(place) && homeIn(place)
    if (home) return take(home, reached && group !== undefined && group.contains(home))
  }
}

function take(element: HTMLElement, wasReached: boolean): void {
  // A heading takes the focus only from us.
  if (element.matches('h1')) element.tabIndex = -1
  ours = true
  element.focus({ preventScroll: element.matches('h1') })
  ours = false
  reached = wasReached
}

/** The heading of the page that is being left by a link; the next page's heading has the focus then. */
let left: Element | null | undefined

const heading = (): HTMLElement | null => document.querySelector('main h1')

export function leavePage(): void {
  left = heading()
}

function arrive(): void {
  const found = heading()
  if (left === undefined || !found || found === left || !isThere(found)) return
  left = undefined
  take(found, false)
}

/** Remembers where the focus is; what comes back brings it there again. */
export function rememberFocus(): () => void {
  const [before, wasReached] = [path, reached]
  return () => {
    const [last] = before
    if (last instanceof HTMLElement && isThere(last)) take(last, wasReached)
    else goHome(before)
  }
}

/** What has the focus within `place` may be about to go: it lets go of the focus before, since the browser would lay out the
 * whole page to take it away. Once it is gone the nearest place gets the focus, as always. */
export function letGo(place: string): void {
  const at = document.activeElement
  if (at instanceof HTMLElement && at.closest(place)) at.blur()
}

/** From now on, for as long as the page lives. */
export function keepFocus(): void {
  addEventListener('pointerdown', () => ((byPointer = true), (reached = false)), true)
  addEventListener('keydown', () => (byPointer = false), true)
  addEventListener('focusin', ({ target }) => {
    const around: Element[] = []
    for (let one = target instanceof Element ? target : null; one; one = one.parentElement) around.push(one)
    path = around
    if (!ours) reached = !byPointer
  })
  // With the next frame, which lays the page out anyway.
  let asked = 0
  const isLost = () => path[0] && !path[0].isConnected && document.activeElement === document.body
  new MutationObserver(() => {
    if (left !== undefined) arrive()
    if (!isLost()) return
    asked ||= requestAnimationFrame(() => {
      asked = 0
      if (isLost()) goHome(path)
    })
  }).observe(document.body, { childList: true, subtree: true })
}
