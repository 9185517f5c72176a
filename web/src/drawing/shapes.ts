/** Written by `make protocol` from src/tercet/drawing/shapes.py. Change that. */

/** The three shapes, upright in a box, and their hatching as plain lines, crisp in any size. */
export const SHAPE_BOX = { width: 34, height: 72 } as const

export const OUTLINES: Record<string, string> = {
  diamond: 'M17 2 32 36 17 70 2 36Z',
  oval: 'M2 17a15 15 0 0 1 30 0v38a15 15 0 0 1-30 0Z',
  squiggle: 'M8 5C14 -1 33 2 33 19C33 30 24 33 24 44C24 53 32 57 26 67C20 73 1 70 1 53C1 42 10 39 10 28C10 19 2 15 8 5Z',
}

export const HATCHING: Record<string, string> = {
  diamond: 'M15.2 6H18.8M12.6 12H21.4M9.9 18H24.1M7.3 24H26.7M4.6 30H29.4M2 36H32M4.6 42H29.4M7.3 48H26.7M9.9 54H24.1M12.6 60H21.4M15.2 66H18.8',
  oval: 'M6.8 6H27.2M2.9 12H31.1M2 18H32M2 24H32M2 30H32M2 36H32M2 42H32M2 48H32M2 54H32M2.9 60H31.1M6.8 66H27.2',
  squiggle: 'M7.4 6H27.3M5.8 12H31.7M7.2 18H33M9.5 24H32.3M9.9 30H29.5M8.1 36H25.9M4.5 42H24.1M1.7 48H24.5M1 54H26.8M2.3 60H28.2M6.7 66H26.6',
}

/** The box of a card, from one shape to the next, and from the edge to them; then the same for a die. */
export const CARD = { width: 150, height: 100, step: 43, top: 14 } as const
export const DIE = { size: 100, step: 28, top: 24.8, scale: 0.7 } as const

/** The arms of a wild's star, and the sign that a lying wild has in its corner. */
export const STAR = {
  red: 'M50 20v60',
  green: 'M24 35l52 30',
  purple: 'M24 65l52-30',
} as const
export const WILD_MARK = 'M85 9v14M79 12.5l12 7M79 19.5l12-7'
