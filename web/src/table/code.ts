/** The code of a table as people write it: in any case, with spaces and dashes between, or as the link that has it, also with
 * what stood around it in a sentence. */
export function readCode(text: string): string {
  const path = decoded(text.split(/[?#]/)[0]!).trim()
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  return last.replace(/[\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}._,;:!'"]/gu, '').toUpperCase()
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
