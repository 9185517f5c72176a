/** Which dice may be laid and what they score: the mirror of `tercet.cubed.turns`, for an answer while laying. */

import type { Die, CubedPlacement as Placement } from '../../protocol'
import type { Edition } from '../../editions/editions'
import { ALL_FACES, explain, isSet, third, WILD, type Explanation } from '../../sets'
import { allRuns, cellOf, runsThrough, squareOf, type Square } from '../../editions/squares'

export type Board = readonly (Die | null)[]

export interface NewSet {
  squares: Square[]
  laid: Square[]
  points: number
}

export type Problem =
  | { code: 'too_many_dice' }
  | { code: 'wild_not_named'; square: Square }
  /** The die finishes no SET; `near` are the full runs that it lies in, with what is wrong with them; `own` are the
   * squares of a SET of dice laid now alone, which does not count (C11). */
  | { code: 'makes_no_set'; square: Square; near: { squares: Square[]; why: Explanation }[]; own: Square[] }

export interface Judgement {
  sets: NewSet[]
  setPoints: number
  bonus: number
  problems: Problem[]
}

export const LAY_LIMIT = 3

interface Run {
  squares: Square[]
  faces: string[]
  laid: Placement[]
  lyingPoints: number
}

/** The full runs of three with at least one die laid now. */
function fullRuns(edition: Edition, board: Board, placements: readonly Placement[]): Run[] {
  const { layout } = edition
  const laidOn = new Map(placements.map((placement) => [cellOf(layout, placement.square), placement]))
  const cells = new Set([...laidOn.keys()].flatMap((cell) => runsThrough(layout, cell)))
  const runs: Run[] = []
  for (const run of cells) {
    const laid = run.flatMap((cell) => laidOn.get(cell) ?? [])
    const lying = run.flatMap((cell) => board[cell] ?? [])
    if (laid.length + lying.length < 3) continue
    runs.push({
      squares: run.map((cell) => squareOf(layout, cell)),
      faces: run.map((cell) => (laidOn.get(cell) ?? board[cell])!.face),
      laid,
      lyingPoints: lying.filter((die) => edition.wild === 'later' || !die.wild).length,
    })
  }
  return runs.sort((a, b) => cellOf(layout, a.squares[0]!) - cellOf(layout, b.squares[0]!))
}

const isNamedSet = ({ faces }: Run): boolean => !faces.includes(WILD) && isSet(faces[0]!, faces[1]!, faces[2]!)

/** What these dice score as they lie, and what is still wrong. Nothing laid is nothing wrong. */
export function judge(edition: Edition, board: Board, placements: readonly Placement[]): Judgement {
  const full = fullRuns(edition, board, placements)
  const runs = full.filter(({ laid }) => laid.length < 3)
  const sets = runs.filter(isNamedSet)
  const own = full.find((run) => run.laid.length === 3 && isNamedSet(run))
  const wildPoints = wildPointsOf(sets, edition.wild)
  const points = (set: Run) =>
    set.lyingPoints + set.laid.filter(({ wild }) => !wild).length + (wildPoints.get(set) ?? 0)
  const problems: Problem[] = placements.length > LAY_LIMIT ? [{ code: 'too_many_dice' }] : []
  for (const placement of placements) {
    const { square } = placement
    if (placement.face === WILD) problems.push({ code: 'wild_not_named', square })
    else if (!sets.some(({ laid }) => laid.includes(placement))) {
      const near = runs
        .filter(({ laid, faces }) => laid.includes(placement) && !faces.includes(WILD))
        .map(({ squares, faces }) => ({ squares, why: explain(faces[0]!, faces[1]!, faces[2]!) }))
      problems.push({ code: 'makes_no_set', square, near, own: own?.laid.includes(placement) ? own.squares : [] })
    }
  }
  return {
    sets: sets.map((set) => ({
      squares: set.squares,
      laid: set.laid.map(({ square }) => square),
      points: points(set),
    })),
    setPoints: sets.reduce((sum, set) => sum + points(set), 0),
    bonus: placements.reduce((sum, { square }) => sum + (edition.layout.bonus[square] ?? 0), 0),
    problems,
  }
}

/** The points of laid wilds in each SET, in the order of laying that scores most. */
function wildPointsOf(sets: readonly Run[], rule: Edition['wild']): Map<Run, number> {
  const dice = [...new Set(sets.flatMap(({ laid }) => laid))]
  let best = new Map<Run, number>()
  if (rule === 'never' || dice.length < 2 || !dice.some(({ wild }) => wild)) return best
  let most = 0
  for (const order of permutations(dice)) {
    const scored = new Map<Run, number>()
    const lastOf = (set: Run) => Math.max(...set.laid.map((die) => order.indexOf(die)))
    for (const die of order.filter(({ wild }) => wild)) {
      const own = sets.filter(({ laid }) => laid.includes(die))
      const first = Math.min(...own.map(lastOf))
      for (const set of own) if (lastOf(set) !== first) scored.set(set, (scored.get(set) ?? 0) + 1)
    }
    const total = [...scored.values()].reduce((sum, points) => sum + points, 0)
    if (total > most) [most, best] = [total, scored]
  }
  return best
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((one, place) => permutations(all.toSpliced(place, 1)).map((rest) => [one, ...rest]))
}

/** The other two faces of each run that a die on this cell would fill beside one that lay before. */
function pairsBeside(edition: Edition, board: Board, laid: ReadonlyMap<number, string>, cell: number): [string, string][] {
  const faceOn = (at: number) => board[at]?.face ?? laid.get(at) ?? WILD
  return runsThrough(edition.layout, cell).flatMap((run) => {
    const [a, b] = run.filter((one) => one !== cell) as [number, number]
    if (!board[a] && !board[b]) return []
    const pair: [string, string] = [faceOn(a), faceOn(b)]
    return pair.includes(WILD) ? [] : [pair]
  })
}

const facesByCell = ({ layout }: Edition, laid: readonly Placement[]): Map<number, string> =>
  new Map(laid.map(({ square, face }) => [cellOf(layout, square), face]))

/** The faces with which a wild on this square would finish a SET, as things lie. */
export function facesForWild(edition: Edition, board: Board, others: readonly Placement[], square: Square): string[] {
  const pairs = pairsBeside(edition, board, facesByCell(edition, others), cellOf(edition.layout, square))
  return ALL_FACES.filter((face) => pairs.some(([a, b]) => isSet(a, b, face)))
}

/** The squares where a die with this face would finish a SET, or take the place of a wild that stands for it. */
export function squaresFor(edition: Edition, board: Board, laid: readonly Placement[], face: string): Set<Square> {
  const laidOn = facesByCell(edition, laid)
  const fits = (lying: Die | null, cell: number): boolean => {
    if (lying) return !laid.length && lying.wild && lying.face === face
    return !laidOn.has(cell) && pairsBeside(edition, board, laidOn, cell).some(([a, b]) => isSet(a, b, face))
  }
  return new Set(board.flatMap((lying, cell) => (fits(lying, cell) ? squareOf(edition.layout, cell) : [])))
}

/** Three faces to open with; wilds among them stand for what makes them a SET. */
export function openingFaces(shown: readonly string[]): Named[] {
  const faces = shown.filter((face) => face !== WILD)
  const needed = faces.length === 2 ? third(faces[0]!, faces[1]!) : (faces[0] ?? '1RD')
  return shown.map((face) => (face === WILD ? { face: needed, wild: true } : { face, wild: false }))
}

type Named = { face: string; wild: boolean }

/** One of the wilds of an opening SET gets this face; the last of the other wilds then stands for what makes it a SET. */
export function nameInOpening(faces: readonly Named[], place: number, face: string): Named[] {
  const named = faces.map((one, at) => (at === place ? { face, wild: true } : one))
  const last = named.findLastIndex(({ wild }, at) => wild && at !== place)
  const others = named.filter((_, at) => at !== last)
  return named.map((one, at) => (at === last ? { face: third(others[0]!.face, others[1]!.face), wild: true } : one))
}

/** Whether any die of this hand can be laid. */
export function canLay(edition: Edition, board: Board, hand: readonly Die[]): boolean {
  const faces = hand.map(({ face }) => face)
  return allRuns(edition.layout).some((run) => {
    const lying = run.flatMap((cell) => board[cell]?.face ?? [])
    if (lying.length === 2) return faces.some((face) => isSet(lying[0]!, lying[1]!, face))
    if (lying.length !== 1) return false
    return faces.some((a, i) => faces.some((b, j) => j > i && isSet(lying[0]!, a, b)))
  })
}
