/** The board and the dice of an edition, by its name or from its content. */

import { messageNamed } from '../language.svelte'
import type { Edition as EditionData } from '../protocol'
import builtIn from './editions.json'
import type { Layout } from './squares'

export interface Edition {
  readonly name: string
  /** Its name for people, and what one should know about it; only those of somebody's own have them. */
  readonly title: string
  readonly note: string
  readonly layout: Layout
  readonly wild: 'later' | 'never'
  /** Six faces a die; die 1 comes first. */
  readonly dice: readonly (readonly string[])[]
}

interface EditionFile {
  name: string
  title?: string
  note?: string
  size: number[]
  logo: string[]
  bonus?: Record<string, number>
  wild?: string
  dice: string[]
}

function fromFile(file: EditionFile): Edition {
  const [rows = 9, cols = 9] = file.size
  return {
    name: file.name,
    title: file.title ?? '',
    note: file.note ?? '',
    layout: { rows, cols, logo: file.logo, bonus: file.bonus ?? {} },
    wild: file.wild === 'never' ? 'never' : 'later',
    dice: file.dice.map((faces) => faces.split(' ')),
  }
}

const known = new Map((builtIn as unknown as EditionFile[]).map((file) => [file.name, fromFile(file)]))
const read = new WeakMap<object, Edition>()

export function editionOf(data: EditionData): Edition {
  if (typeof data === 'string') {
    const found = known.get(data.split(':')[0]!)
    if (!found) throw new Error(`no edition is called ${data}`)
    return found
  }
  const edition = read.get(data) ?? fromFile(data as unknown as EditionFile)
  read.set(data, edition)
  return edition
}

/** What it is called at the table. */
export function editionTitle(data: EditionData): string {
  const { name, title } = editionOf(data)
  if (typeof data === 'object') return title || name
  return (messageNamed(`edition_${name}`) ?? messageNamed(`option_edition_${name}`))?.({}) ?? name
}
