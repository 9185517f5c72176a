import { beforeAll, describe, expect, test } from 'vitest'
import { editionOf } from '../src/editions/editions'
import { cellOf } from '../src/editions/squares'
import { legalPart, pairSquares, partners, wildFaces } from '../src/games/cubed/fits'
import { outlines } from '../src/games/cubed/marks'
import { evolve, start } from '../src/games/cubed/rules'
import { lastRoundFrom, scenesOf, turnOf } from '../src/games/cubed/scenes'
import { Turn } from '../src/games/cubed/turn.svelte'
import { judge, nameInOpening, openingFaces } from '../src/games/cubed/turns'
import { eventWords, sceneNews, sumOf } from '../src/games/cubed/words'
import { speak, speakOf } from '../src/language.svelte'
import { readRecord } from '../src/record'
import type { CubedEntry, CubedEvent, CubedState, Die } from '../src/protocol'
import { ALL_FACES, isSet } from '../src/sets'
import vectors from './vectors.json'

const HOUSE = editionOf('house')
const LINE = { d5: '1RO', e5: '2RO', f5: '3RO' }

beforeAll(async () => {
  await speak('en')
  await speakOf('cubed')
})

function boardOf(lying: Record<string, string>): (Die | null)[] {
  const board = Array<Die | null>(81).fill(null)
  for (const [square, text] of Object.entries(lying))
    board[cellOf(HOUSE.layout, square)] = { number: 0, face: text.replace('*', ''), wild: text.startsWith('*') }
  return board
}

const squares = (found: Iterable<string>) => [...found].sort()

describe('a die that only fits with a second one', () => {
  test('is led to the squares of such pairs, and to nothing where there is none', () => {
    const board = boardOf(LINE)
    const found = pairSquares(HOUSE, board, [], '1GO', ['1PO', '2RS'])
    // 1RO on d5 with two free squares above, below, to the left, or one above and one below.
    expect(squares(found.keys())).toEqual(['b5', 'c5', 'd3', 'd4', 'd6', 'd7'])
    expect(squares(found.get('d4')!)).toEqual(['d3', 'd6'])
    expect(pairSquares(HOUSE, board, [], '1GO', ['2RS', '3RS']).size).toBe(0)
  })

  test('there is no pair when only one more die may be laid', () => {
    const laid = [
      { square: 'g5', face: '1RO' },
      { square: 'c5', face: '3RO' },
    ]
    expect(pairSquares(HOUSE, boardOf(LINE), laid, '1GO', ['1PO']).size).toBe(0)
  })

  test('when the first lies, the second is known', () => {
    const first = { square: 'd4', face: '1GO' }
    expect(partners(HOUSE, boardOf(LINE), [first], first, ['1PO', '1PO', '2RS'])).toEqual([
      { face: '1PO', square: 'd3' },
      { face: '1PO', square: 'd6' },
    ])
  })
})

describe('an own turn', () => {
  const handOf = (...faces: string[]) => faces.map((face, place) => ({ number: place + 1, face, wild: false }))
  const voice = { say: (text: string) => void (said = text), clear: () => void (said = ''), seat: null, tone: '' as const }
  let said = ''

  test('the first die of a pair is not wrong, and which the second is, one finds oneself', () => {
    const turn = new Turn(() => ({ edition: HOUSE, board: boardOf(LINE), hand: handOf('1GO', '1PO'), seat: 0, onTurn: true }), voice)
    turn.put(1, 'd4')
    expect(said).toBe('Now the second die, on a marked square.')
    expect([squares(turn.wrong), squares(turn.pairing)]).toEqual([[], ['d3', 'd6']])
  })

  test('two dice that make no SET are told so, though one of them would make one with a third', () => {
    const turn = new Turn(() => ({ edition: HOUSE, board: boardOf(LINE), hand: handOf('1GO', '2RS', '1PO'), seat: 0, onTurn: true }), voice)
    turn.put(1, 'd4')
    turn.put(2, 'd3')
    expect(said).toMatch(/^d3-d4-d5 is not a SET: /)
    expect([squares(turn.wrong), squares(turn.pairing)]).toEqual([['d3', 'd4'], []])
  })

  test('nothing is chosen when something else is asked', () => {
    let asked = { onTurn: true, asked: 'turn' }
    const turn = new Turn(() => ({ edition: HOUSE, board: boardOf(LINE), hand: handOf('1GO', '1PO'), seat: 0, ...asked }), voice)
    turn.choose(1)
    turn.catchUp()
    expect(turn.chosen).toEqual([1])
    asked = { onTurn: false, asked: 'extra_roll' }
    turn.catchUp()
    expect(turn.chosen).toEqual([])
  })
})

describe('a wild', () => {
  test('is offered only faces that lead to a SET', () => {
    const board = boardOf(LINE)
    expect(wildFaces(HOUSE, board, [], 'g5', ['2RS'])).toEqual({ now: ['1RO'], later: ['1RD'] })
    expect(wildFaces(HOUSE, board, [], 'd4', ['1PO'])).toEqual({ now: [], later: ['1GO'] })
    expect(wildFaces(HOUSE, board, [], 'd4', ['W']).later).toEqual(ALL_FACES)
    expect(wildFaces(HOUSE, board, [], 'a1', ['W', '1PO'])).toEqual({ now: [], later: [] })
  })

  test('every face that is offered can be laid with a die of the hand, and no other can', () => {
    for (const { board: lying, hand } of positions()) {
      const board = boardOf(lying)
      for (const square of ['c5', 'd4', 'd3', 'g5', 'e4']) {
        if (lying[square]) continue
        const { now, later } = wildFaces(HOUSE, board, [], square, hand)
        const possible = ALL_FACES.filter((face) => leadsToATurn(board, square, face, hand))
        expect([...now, ...later].sort()).toEqual([...possible].sort())
      }
    }
  })
})

const positions = () => [
  { board: LINE as Record<string, string>, hand: ['1PO', '3GS'] },
  { board: { ...LINE, d6: '2GS', c4: '*1PD' } as Record<string, string>, hand: ['2RD', '2GS', '3PO'] },
]

/** By trying every square for every other die. */
function leadsToATurn(board: (Die | null)[], square: string, face: string, hand: readonly string[]): boolean {
  const wild = { square, face, wild: true }
  if (!judge(HOUSE, board, [wild]).problems.length) return true
  const free = board.flatMap((die, cell) => (die ? [] : [String.fromCharCode(97 + (cell % 9)) + (Math.floor(cell / 9) + 1)]))
  return hand.some((other) =>
    free.some((place) => place !== square && !judge(HOUSE, board, [wild, { square: place, face: other }]).problems.length),
  )
}

test('C11 a SET of new dice alone is told apart from no SET', () => {
  const laid = ['1RO', '2RO', '3RO'].map((face, place) => ({ square: `a${place + 1}`, face }))
  const { problems } = judge(HOUSE, boardOf(LINE), laid)
  expect(problems).toHaveLength(3)
  expect(problems[0]).toMatchObject({ code: 'makes_no_set', own: ['a1', 'a2', 'a3'] })
  const others = judge(HOUSE, boardOf(LINE), [...laid.slice(0, 2), { square: 'a3', face: '3RS' }])
  expect(others.problems[0]).toMatchObject({ own: [] })
})

test('what is laid when the time is up: the part that may be laid, with the most points', () => {
  const board = boardOf(LINE)
  const right = { square: 'g5', face: '1RO' }
  const alone = { square: 'a1', face: '2PS' }
  expect(legalPart(HOUSE, board, [alone, right])).toEqual([right])
  expect(legalPart(HOUSE, board, [alone])).toEqual([])
  expect(legalPart(HOUSE, board, [])).toEqual([])
  const pair = [
    { square: 'd4', face: '1GO' },
    { square: 'd3', face: '1PO' },
  ]
  expect(legalPart(HOUSE, board, [...pair, right])).toEqual([...pair, right])
})

test('the wilds of an opening SET may be named, and it stays a SET', () => {
  const two = nameInOpening(openingFaces(['1RO', 'W', 'W']), 1, '2GS')
  expect(two.map(({ face }) => face)).toEqual(['1RO', '2GS', '3PD'])
  let three = nameInOpening(openingFaces(['W', 'W', 'W']), 0, '2GS')
  three = nameInOpening(three, 1, '3PS')
  expect(three.map(({ face }) => face)).toEqual(['2GS', '3PS', '1RS'])
  for (const faces of [two, three]) expect(isSet(faces[0]!.face, faces[1]!.face, faces[2]!.face)).toBe(true)
})

describe('outlines', () => {
  const mark = (...squares: string[]) => ({ squares, points: 3, seat: 1 })

  test('lie around their squares, whatever the order', () => {
    expect(outlines(HOUSE.layout, [mark('f5', 'd5', 'e5')])[0]).toMatchObject({ top: 4, left: 3, rows: 1, cols: 3, lane: 0 })
    expect(outlines(HOUSE.layout, [mark('h3', 'h4', 'h5')])[0]).toMatchObject({ top: 2, left: 7, rows: 3, cols: 1 })
  })

  test('of SETs that overlap in a line lie within each other', () => {
    const found = outlines(HOUSE.layout, [mark('a1', 'b1', 'c1'), mark('b1', 'c1', 'd1'), mark('c1', 'd1', 'e1'), mark('a2', 'b2', 'c2')])
    expect(found.map(({ lane }) => lane)).toEqual([0, 1, 2, 0])
  })

  test('no number covers another', () => {
    const through = ['c5-d5-e5', 'd5-e5-f5', 'e5-f5-g5', 'e3-e4-e5', 'e4-e5-e6', 'e5-e6-e7'].map((text) => mark(...text.split('-')))
    const badges = outlines(HOUSE.layout, through).map(({ badge }) => `${badge.top} ${badge.left}`)
    expect(new Set(badges).size).toBe(6)
  })
})

describe('a whole game, scene by scene', () => {
  const { options, seats: names, log } = readRecord(vectors.cubed_game.record)
  const seats = names.length
  const entries = log.map((entry, place) => ({ ...entry, seq: place + 1 })) as CubedEntry[]
  const begin = start(options as CubedState['options'], seats)
  const scenes = scenesOf(begin, entries)

  test('every turn is made up of its SETs and its bonus', () => {
    const turns = scenes.filter((scene) => scene.kind === 'turn')
    expect(turns.length).toBeGreaterThan(10)
    for (const { marks, bonus, event } of turns)
      expect(marks.reduce((sum, { points }) => sum + points, bonus)).toBe(event.points)
    expect(turns.some(({ marks, bonus }) => marks.length > 1 || bonus > 0)).toBe(true)
  })

  test('the last scene ends where the table is, and every event is in one', () => {
    const state = entries.reduce((state, { event, at }) => evolve(state, event as CubedEvent, at), begin)
    expect(scenes.at(-1)!.after).toEqual(state)
    expect(scenes.at(-1)!.kind).toBe('over')
    const thrown = scenes.flatMap((scene) => (scene.kind === 'throw' ? scene.thrown : []))
    expect(thrown.some(({ drawn }) => drawn)).toBe(true)
    expect(thrown.some(({ drawn }) => !drawn)).toBe(true)
  })

  test('a turn can be told from the state after it, as a replay does', () => {
    for (const scene of scenes) if (scene.kind === 'turn') expect(turnOf(scene.after, scene.event)).toMatchObject({ marks: scene.marks })
  })

  test('the last round begins after the own last turn', () => {
    const turns = entries.flatMap(({ event }, place) => (['laid', 'opened', 'passed'].includes(event.kind) ? [{ place, event }] : []))
    const last = turns.at(-1)!
    const mine = (last.event as { seat: number }).seat
    expect(lastRoundFrom(entries, seats, mine)).toBe(last.place + 1)
    const other = (mine + 1) % seats
    const own = turns.findLast(({ event }) => (event as { seat: number }).seat === other)!
    expect(lastRoundFrom(entries, seats, other)).toBeGreaterThanOrEqual(own.place + 1)
    expect(lastRoundFrom(entries, seats, null)).toBe(turns.at(-seats)!.place)
    expect(lastRoundFrom(entries.slice(0, 1), seats, 0)).toBe(1)
  })
})

test('a turn that the time limit ended is told apart from a pass', () => {
  const passed = { kind: 'passed', seat: 1, could_lay: true } as const
  expect(eventWords(passed, ['Ada', 'Ben']).text).toBe('Ben passes.')
  expect(eventWords(passed, ['Ada', 'Ben'], undefined, true).text).toBe('Ben: time is up.')
  const before = { ...start({ edition: 'house', turn_seconds: 30 }, 2), phase: 'turn' as const, turn: 1, until: 30_000 }
  const told = (at: number) => sceneNews(scenesOf(before, [{ seq: 1, at, event: passed }])[0]!, { state: before, seat: 0, names: ['Ada', 'Ben'] })?.text
  expect([told(12_000), told(30_000)]).toEqual(['Ben passes.', 'Ben: time is up.'])
})

test('a turn is written out as a sum', () => {
  const board = boardOf({ ...LINE, g4: '1GO', g6: '1PO' })
  const after = { ...start({ edition: 'house' } as CubedState['options'], 2), board }
  const placements = [{ square: 'g5', face: '1RO', wild: false, die: 1 }]
  const done = { ...after, board: board.map((die, cell) => (cell === cellOf(HOUSE.layout, 'g5') ? { number: 1, face: '1RO', wild: false } : die)) }
  const scene = turnOf(done, { kind: 'laid', seat: 1, placements, points: 6 })
  expect(sumOf(scene)).toBe('6 = 3 + 3')
  const place = { state: done, seat: 0, names: ['Ada', 'Greedy'] }
  expect(sceneNews({ ...scene, seq: 1, timeUp: false, after: done }, place)).toMatchObject({ text: 'Greedy: 6 = 3 + 3', seat: 1 })
  expect(sceneNews({ ...scene, seq: 1, timeUp: false, after: done }, { ...place, seat: 1 })?.text).toBe('You: 6 = 3 + 3')
  const late = sceneNews({ ...scene, seq: 1, timeUp: true, after: done }, { ...place, seat: 1 })
  expect(late?.text).toBe('Time is up: your dice are laid. You: 6 = 3 + 3')
  expect(sumOf({ ...scene, bonus: 3, event: { ...scene.event, points: 9 } })).toBe('9 = 3 + 3, bonus 3')
  expect(sumOf({ ...scene, marks: scene.marks.slice(0, 1) })).toBe('')
})
