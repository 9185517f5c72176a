import { HATCHING, OUTLINES } from './shapes'

/** Some of the same shape, each so far from the one before: one path, since a table draws dozens of them at once. */
export interface Row {
  outline: string
  hatching: string
}

const rows = new Map<string, Row>()

export function rowOf(shape: string, count: number, apart: number): Row {
  const key = [shape, count, apart].join()
  let row = rows.get(key)
  if (!row) rows.set(key, (row = newRow(shape, count, apart)))
  return row
}

const round = (value: number): number => Math.round(value * 10) / 10

function newRow(shape: string, count: number, apart: number): Row {
  const starts = Array.from({ length: count }, (_, place) => place * apart)
  const [left, outline] = OUTLINES[shape] ?? [0, '']
  const lines = HATCHING[shape] ?? []
  return {
    outline: starts.map((x) => `M${left + x}${outline}`).join(''),
    hatching: starts.flatMap((x) => lines.map(([y, from, to]) => `M${round(from + x)} ${y}H${round(to + x)}`)).join(''),
  }
}
