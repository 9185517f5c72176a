/** How cards and dice move. */

import { mayMove } from '../settings.svelte'

const FLIGHT_MS = 520
/** So long a SET that was taken is shown before it flies. */
export const HOLD_MS = 800
const LIFT_MS = 120

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

/** Copies of things fly to where they belong, above everything else, and are gone.
 *
 * Everything is measured before anything is added: the page is laid out once. */
export function flyTo(things: readonly HTMLElement[], target: Element, apart = 40): void {
  if (!mayMove()) return
  const to = target.getBoundingClientRect()
  const flights = things.map((thing) => ({ thing, from: thing.getBoundingClientRect() }))
  flights.forEach(({ thing, from }, place) => {
    const copy = thing.cloneNode(true) as HTMLElement
    copy.setAttribute('aria-hidden', 'true')
    for (const name in copy.dataset) delete copy.dataset[name]
    copy.tabIndex = -1
    Object.assign(copy.style, {
      position: 'fixed',
      left: `${from.left}px`,
      top: `${from.top}px`,
      width: `${from.width}px`,
      height: `${from.height}px`,
      margin: '0',
      pointerEvents: 'none',
      zIndex: '20',
      willChange: 'transform, opacity',
    })
    document.body.append(copy)
    const x = to.left + to.width / 2 - from.left - from.width / 2
    const y = to.top + to.height / 2 - from.top - from.height / 2
    const flight = copy.animate(
      [
        { transform: 'none', opacity: 1 },
        { transform: 'translateY(-10px) scale(1.05)', opacity: 1, offset: 0.25 },
        { transform: `translate(${x}px, ${y}px) scale(0.2)`, opacity: 0.2 },
      ],
      { duration: FLIGHT_MS, delay: place * apart, easing: 'cubic-bezier(0.4, 0, 0.3, 1)', fill: 'backwards' },
    )
    flight.onfinish = flight.oncancel = () => copy.remove()
  })
}

/** Something that lies where it belongs comes there from somewhere else. */
export function arriveFrom(origin: Element, thing: HTMLElement, delay: number): void {
  if (!mayMove()) return
  const [a, b] = [origin.getBoundingClientRect(), thing.getBoundingClientRect()]
  const [x, y] = [a.left + a.width / 2 - b.left - b.width / 2, a.top + a.height / 2 - b.top - b.height / 2]
  thing.animate([{ transform: `translate(${x}px, ${y}px) scale(0.5)`, opacity: 0 }, { transform: 'none', opacity: 1 }], {
    duration: 450,
    delay,
    easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
    fill: 'backwards',
  })
}

/** A die tumbles and settles on the face that it shows. */
export function tumble(die: Element, delay = 0): void {
  if (!mayMove()) return
  const turns = (Math.random() < 0.5 ? -1 : 1) * (360 + Math.floor(Math.random() * 180))
  die.animate(
    [
      { transform: `translateY(-26px) rotate(${turns}deg) scale(0.82)`, opacity: 0.3 },
      { transform: `translateY(6px) rotate(${turns / 4}deg) scale(1.04)`, opacity: 1, offset: 0.6 },
      { transform: `translateY(-3px) rotate(${turns / 20}deg)`, offset: 0.8 },
      { transform: 'none' },
    ],
    { duration: 620, delay, easing: 'cubic-bezier(0.2, 0.6, 0.3, 1)', fill: 'backwards' },
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
