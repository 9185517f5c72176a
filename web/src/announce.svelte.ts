/** What a screen reader should say now. One short sentence at a time. */

let words = $state('')

export const spokenWords = (): string => words

export function announce(text: string): void {
  // The same words again are only spoken when they have changed in between.
  words = text === words ? `${text}\u00a0` : text
}
