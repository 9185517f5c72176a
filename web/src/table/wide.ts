/** A screen with room beside the table: the same as in the styles of `TableTop`. */
export const WIDE = '(min-width: 60rem) and (min-height: 32.01rem)'
