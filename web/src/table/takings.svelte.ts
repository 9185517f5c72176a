/** SETs that were taken just now: framed for a moment where they lay, above what is dealt there, and then on their way to a seat. */

import { HOLD_MS } from './fly'

export interface Copy {
  face: HTMLElement
  left: number
  top: number
  width: number
  height: number
}

export interface Taking {
  id: number
  seat: number
  name: string
  /** Whether it is held up before it flies. */
  held: boolean
  copies: readonly Copy[]
  /** The middle of the seat, to fly to. */
  to: { x: number; y: number } | null
}

export class Takings {
  all = $state.raw<readonly Taking[]>([])
  #count = 0
  #flights = new Map<number, Set<Animation>>()

  /** Everything is measured before anything changes: the page is laid out once. */
  show(taken: Pick<Taking, 'seat' | 'name' | 'held'>, faces: readonly HTMLElement[], target: Element | undefined): void {
    if (!faces.length) return
    // What is still being dealt is taken from where it belongs.
    for (const face of faces) for (const way of face.getAnimations()) way.cancel()
    const box = target?.getBoundingClientRect()
    const copies = faces.map((face) => {
      const { left, top, width, height } = face.getBoundingClientRect()
      return { face: copyOf(face), left, top, width, height }
    })
    const to = box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null
    this.all = [...this.all, { ...taken, id: ++this.#count, copies, to }]
  }

  follow({ id, held }: Taking, flight: Animation): void {
    if (!held) flight.currentTime = HOLD_MS
    const flights = this.#flights.get(id) ?? new Set()
    this.#flights.set(id, flights.add(flight))
    flight.onfinish = flight.oncancel = () => {
      flights.delete(flight)
      if (!flights.size) this.#forget(id)
    }
  }

  /** They are on their way at once: somebody wants to see what lies there now. */
  release(): void {
    for (const flights of this.#flights.values())
      for (const flight of flights) if (Number(flight.currentTime) < HOLD_MS) flight.currentTime = HOLD_MS
  }

  #forget(id: number): void {
    this.#flights.delete(id)
    this.all = this.all.filter((taking) => taking.id !== id)
  }
}

function copyOf(face: HTMLElement): HTMLElement {
  const copy = face.cloneNode(true) as HTMLElement
  for (const name in copy.dataset) delete copy.dataset[name]
  return copy
}
