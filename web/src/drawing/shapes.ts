/** Written by `make protocol` from src/tercet/drawing/shapes.py. Change that. */

/** The three shapes stand upright in a box. */
export const SHAPE_BOX = { width: 34, height: 72 } as const

/** The outline of each: how far from the left it begins, and how it goes on. */
export const OUTLINES: Record<string, readonly [number, string]> = {
  diamond: [17, ' 2l15 34-15 34-15-34Z'],
  oval: [2, ' 17a15 15 0 0 1 30 0v38a15 15 0 0 1-30 0Z'],
  squiggle: [8, ' 5c6 -6 25 -3 25 14c0 11 -9 14 -9 25c0 9 8 13 2 23c-6 6 -25 3 -25 -14c0 -11 9 -14 9 -25c0 -9 -8 -13 -2 -23Z'],
}

/** The hatching of each as level lines, crisp in any size: how high, and from where to where. */
export const HATCHING: Record<string, readonly (readonly [number, number, number])[]> = {
  diamond: [[6, 15.2, 18.8], [12, 12.6, 21.4], [18, 9.9, 24.1], [24, 7.3, 26.7], [30, 4.6, 29.4], [36, 2, 32], [42, 4.6, 29.4], [48, 7.3, 26.7], [54, 9.9, 24.1], [60, 12.6, 21.4], [66, 15.2, 18.8]],
  oval: [[6, 6.8, 27.2], [12, 2.9, 31.1], [18, 2, 32], [24, 2, 32], [30, 2, 32], [36, 2, 32], [42, 2, 32], [48, 2, 32], [54, 2, 32], [60, 2.9, 31.1], [66, 6.8, 27.2]],
  squiggle: [[6, 7.4, 27.3], [12, 5.8, 31.7], [18, 7.2, 33], [24, 9.5, 32.3], [30, 9.9, 29.5], [36, 8.1, 25.9], [42, 4.5, 24.1], [48, 1.7, 24.5], [54, 1, 26.8], [60, 2.3, 28.2], [66, 6.7, 26.6]],
}

/** The box of a card, from one shape to the next, and from the edge to them; then the same for a die. */
export const CARD = { width: 150, height: 100, step: 43, top: 14 } as const
export const DIE = { size: 100, step: 40, top: 24.8, scale: 0.7 } as const

/** The arms of a wild's star, and the sign that a lying wild has in its corner. */
export const STAR = {
  red: 'M50 20v60',
  green: 'M24 35l52 30',
  purple: 'M24 65l52-30',
} as const
export const WILD_MARK = 'M85 9v14M79 12.5l12 7M79 19.5l12-7'
