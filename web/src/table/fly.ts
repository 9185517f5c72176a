/** How cards and dice move. */

import { mayMove } from '../settings.svelte'
import { nextTask } from './frames'

const FLIGHT_MS = 520
/** So long a SET that was taken is shown before it flies. */
export const HOLD_MS = 800
const LIFT_MS = 120
/** After so long it has flown. */
export const SHOWN_MS = HOLD_MS + FLIGHT_MS

/** A framed copy is held up where it is, and then flies `way` to where it belongs; where nothing may move it is only held. */
export function holdAndFly(frame: HTMLElement, way: { x: number; y: number } | null, place: number): Animation {
  if (!mayMove() || !way) return frame.animate({ opacity: [1, 1] }, HOLD_MS)
  const whole = HOLD_MS + FLIGHT_MS + place * 40
  const lifted = `translateY(-4px) rotate(${place % 2 ? 0.8 : -0.8}deg) scale(1.01)`
  return frame.animate(
    [
      { transform: 'none', opacity: 1, easing: 'ease-out' },
      { transform: lifted, opacity: 1, offset: LIFT_MS / whole },
      { transform: lifted, opacity: 1, offset: (HOLD_MS + place * 40) / whole, easing: 'cubic-bezier(0.4, 0, 0.3, 1)' },
      { transform: `translate(${way.x}px, ${way.y}px) scale(0.2)`, opacity: 0.2 },
    ],
    whole,
  )
}

export const GLIDE_MS = 480

/** Something comes to where it lies by now from where it was, if both are known. */
export interface Flight {
  from: DOMRect | undefined
  thing: HTMLElement | null | undefined
  delay?: number
  /** Whether it is thrown where it arrives. */
  tumbles?: boolean
}

/** Copies glide above everything else; what they are copies of is seen when they are there. All are measured before any is hidden,
 * so the page is laid out once; the copies come when what is returned is called, with the next frame: one frame has not to do it all. */
export function glide(flights: readonly Flight[]): () => void {
  if (!mayMove()) return () => {}
  const measured = flights.flatMap(({ from, thing, delay = 0, tumbles = false }) =>
    from && thing ? [{ from, thing, delay, tumbles, to: thing.getBoundingClientRect() }] : [],
  )
  for (const { thing, delay } of measured) thing.animate([{ opacity: 0 }, { opacity: 0 }], delay + GLIDE_MS)
  return () => {
    for (const { from, thing, delay, tumbles, to } of measured) {
      const copy = copyAt(thing, to)
      const [x, y] = between(to, from)
      const flight = copy.animate(
        [
          { transform: `translate(${x}px, ${y}px) scale(${Math.min(1, from.width / to.width)})` },
          { transform: 'scale(1.12)', offset: 0.85 },
          { transform: 'none' },
        ],
        { duration: GLIDE_MS, delay, easing: 'cubic-bezier(0.3, 0, 0.2, 1)', fill: 'backwards' },
      )
      flight.oncancel = () => copy.remove()
      flight.onfinish = () => {
        copy.remove()
        if (tumbles) tumbleFrom(thing)
      }
    }
  }
}

/** A copy that nobody can touch or hear, above everything else. */
function copyAt(thing: HTMLElement, { left, top, width, height }: DOMRect): HTMLElement {
  const copy = thing.cloneNode(true) as HTMLElement
  copy.setAttribute('aria-hidden', 'true')
  for (const name in copy.dataset) delete copy.dataset[name]
  copy.tabIndex = -1
  Object.assign(copy.style, {
    position: 'fixed',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    margin: '0',
    pointerEvents: 'none',
    zIndex: '20',
    willChange: 'transform, opacity',
  })
  document.body.append(copy)
  return copy
}

/** How far it is from the middle of one to the middle of the other. */
export const between = (one: DOMRect, other: DOMRect): [number, number] => [
  other.left + other.width / 2 - one.left - one.width / 2,
  other.top + other.height / 2 - one.top - one.height / 2,
]

/** A die that is thrown, out of the bag if it comes from there. */
export interface Throw {
  die: HTMLElement | null | undefined
  delay: number
  bag?: DOMRect | undefined
}

/** Dice tumble and settle on the faces that they show. Measured and hidden as above; each begins in a task of its own. */
export async function tumble(throws: readonly Throw[]): Promise<void> {
  if (!mayMove()) return
  const measured = throws.flatMap(({ die, delay, bag }) =>
    die ? [{ die, delay, way: bag && between(die.getBoundingClientRect(), bag) }] : [],
  )
  for (const { die } of measured) die.style.opacity = '0'
  for (const { die, delay, way } of measured) {
    await nextTask()
    tumbleFrom(die, delay, way)
    die.style.opacity = ''
  }
}

function tumbleFrom(die: Element, delay = 0, [x, y]: [number, number] = [0, -26]): void {
  const turns = (Math.random() < 0.5 ? -1 : 1) * (480 + Math.floor(Math.random() * 240))
  const tilt = `perspective(12rem) rotate3d(1, ${(Math.random() - 0.5).toFixed(2)}, 0.4,`
  die.animate(
    [
      { transform: `translate(${x}px, ${y}px) ${tilt} ${turns}deg) scale(0.8)`, opacity: 0.3 },
      { transform: `translate(0, 7px) ${tilt} ${turns / 5}deg) scale(1.05)`, opacity: 1, offset: 0.62 },
      { transform: `translate(0, -4px) ${tilt} ${turns / 40}deg)`, offset: 0.82 },
      { transform: 'none' },
    ],
    { duration: 760, delay, easing: 'cubic-bezier(0.2, 0.6, 0.3, 1)', fill: 'backwards' },
  )
}

/** A die among many falls where it lies, at a moment of its own. */
export function drop(die: Element): void {
  if (!mayMove()) return
  const turn = (Math.random() - 0.5) * 80
  die.animate(
    [
      { transform: `translateY(-14px) rotate(${turn}deg) scale(1.18)`, opacity: 0 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: 320, delay: Math.random() * 260, easing: 'cubic-bezier(0.3, 0.7, 0.3, 1)', fill: 'backwards' },
  )
}
