/** Where the keyboard is. When what had the focus is gone, the nearest place that is still there gets it: never the page. */

/** What had the focus last, and everything around it, the innermost first. */
let path: readonly Element[] = []
let byPointer = false
let ours = false
let reached = false

/** Whether the focus was brought to where it is by keys, or by a screen reader; also by the site, for whoever goes by keys. Not by
 * a click or a tap, and not by the site for who clicks and taps. */
export const reachedByKeys = (): boolean => reached

/** In the order of preference: what names itself, the stop of a group that arrow keys move in, the heading, anything
 * that can be pressed; but no link: it might lead away. */
const HOMES = [
  '[data-home]:not(:disabled)',
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
    if (home) return take(home, group?.contains(home) ? reached : !byPointer)
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

/** The heading of the page that is being left; the next page's heading has the focus then. */
let left: Element | null | undefined
/** What had the focus there. */
let leftFrom: Element | null = null

const heading = (): HTMLElement | null => document.querySelector('main h1')

export function leavePage(): void {
  left = heading()
  leftFrom = document.activeElement
}

function arrive(): void {
  const found = heading()
  if (left === undefined || !found || found === left || !isThere(found)) return
  left = undefined
  const [main, at] = [document.querySelector('main'), document.activeElement]
  // A page that knows better has put the focus somewhere already.
  if (at !== main && at !== leftFrom && main?.contains(at)) return
  // At a table one wants to play: the heading is far from the cards.
  take((main?.matches('.at-table') && homeIn(main)) || found, !byPointer)
}

/** To where one plays on this page, past what is above it. */
export function skipToHome(): void {
  const main = document.querySelector('main')
  const home = main && homeIn(main)
  if (home) take(home, true)
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
 * whole page to take it away. Once it is gone the nearest place gets the focus, as always. Whether there was anything to let go. */
export function letGo(place: string): boolean {
  const at = document.activeElement
  if (!(at instanceof HTMLElement && at.closest(place))) return false
  at.blur()
  return true
}

/** Keys that lead from one thing to another: who plays with a mouse calls and picks by other keys. */
const LEADING = /^(Tab|Enter|Home|End|Arrow.*)$/

/** From now on, for as long as the page lives. */
export function keepFocus(): void {
  // What a screen reader presses is told without the kind of a pointer.
  addEventListener('pointerdown', ({ pointerType }) => pointerType && ((byPointer = true), (reached = false)), true)
  addEventListener('keydown', ({ key }) => LEADING.test(key) && (byPointer = false), true)
  addEventListener('focusin', ({ target }) => {
    const around: Element[] = []
    for (let one = target instanceof Element ? target : null; one; one = one.parentElement) around.push(one)
    path = around
    if (!ours) reached = !byPointer
  })
  // With a frame, which lays the page out anyway; the second, for what goes next should not have got the focus.
  let asked = 0
  const isLost = () => path[0] && !path[0].isConnected && document.activeElement === document.body
  new MutationObserver(() => {
    if (left !== undefined) arrive()
    // While a page is on its way, nothing of what is left of the one before gets the focus.
    if (left !== undefined || !isLost()) return
    asked ||= requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        asked = 0
        if (isLost()) goHome(path)
      }),
    )
  }).observe(document.body, { childList: true, subtree: true })
}
