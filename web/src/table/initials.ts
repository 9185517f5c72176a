/** A name where there is room for some letters: "Ada", "Car" for Carlotta, "ML" for Mary Lou, "EII" for Expert II. */

const LETTERS = 3
/** What tells namesakes apart stays whole, but for the mark of a Hebrew number. */
const NUMBER = /^(\d+|[IVX]+)$/

const segmenter = new Intl.Segmenter()
const lettersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

export function initials(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  if (!second) return lettersOf(first).slice(0, LETTERS).join('')
  return lettersOf(first)[0] + (NUMBER.test(second) ? second : lettersOf(second)[0]!)
}
