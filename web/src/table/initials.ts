/** A name where there is room for three letters: "Ada", "Car" for Carlotta, "ML" for Mary Lou, "E2" for Expert 2. */

const LETTERS = 3

const segmenter = new Intl.Segmenter()
const lettersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

export function initials(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  if (!second) return lettersOf(first).slice(0, LETTERS).join('')
  return lettersOf(first)[0] + (/^\d+$/.test(second) ? second.slice(0, LETTERS - 1) : lettersOf(second)[0]!)
}
