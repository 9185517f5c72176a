/** Tables as pages, without a server and without a browser: the test speaks for the one and presses for the other. */

import { flushSync, mount, unmount } from 'svelte'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { spoken } from '../src/announce.svelte'
import { editionOf } from '../src/editions/editions'
import { cellOf } from '../src/editions/squares'
import { keepFocus } from '../src/focus'
import { loadGame } from '../src/games'
import { draftOf } from '../src/games/cubed/memory'
import { start } from '../src/games/cubed/rules'
import * as puzzles from '../src/games/puzzles/rules'
import * as set from '../src/games/set/rules'
import type { Scene } from '../src/games/cubed/scenes'
import { Stage } from '../src/games/cubed/stage.svelte'
import { speak } from '../src/language.svelte'
import TablePage from '../src/pages/Table.svelte'
import { become } from '../src/person.svelte'
import type { CubedEvent, CubedState, Die, Seat } from '../src/protocol'
import { settings } from '../src/settings.svelte'
import LetBot from '../src/table/LetBot.svelte'
import { Line } from './line'

const ADA = { id: 'ada', name: 'Ada', account: null, program: false }
const seat = (name: string, bot: string | null = null): Seat => ({ name, person: bot ? null : name.toLowerCase(), bot, ready: true, program: false })
const die = (number: number, face: string, wild = false): Die => ({ number, face, wild })
const HOUSE = editionOf('house')

function boardOf(lying: Record<string, Die>): (Die | null)[] {
  const board = Array<Die | null>(81).fill(null)
  for (const [square, one] of Object.entries(lying)) board[cellOf(HOUSE.layout, square)] = one
  return board
}

/** Ada is on turn: 1GO and 1PO make a SET with what lies on d5, and her 2RO may take the place of the wild. */
const ON_TURN: CubedState = {
  ...start({}, 2),
  phase: 'turn',
  turn: 0,
  first: 1,
  board: boardOf({ d5: die(20, '1RO'), e5: die(21, '2RO', true), f5: die(22, '3RO') }),
  hands: [[die(1, '1GO'), die(2, '1PO'), die(3, '2RO'), die(4, '2GS'), die(5, '3PD')], [die(6, '2GD')]],
}

const tableOf = (changes: object) => ({
  code: 'ABCDEF',
  game: 'cubed',
  options: {},
  host: 'ada',
  phase: 'playing',
  seats: [seat('Ada'), seat('Greedy', 'greedy')],
  commitment: '',
  called_off: 0,
  start: null,
  playing: 'g1',
  last: null,
  paused: null,
  sent_away: [],
  run: null,
  taken_over: [],
  practice: false,
  chat: true,
  ...changes,
})
const gameOf = (changes: object) => ({
  id: 'g1',
  game: 'cubed',
  names: ['Ada', 'Greedy'],
  seat: 0,
  own_seat: null,
  seq: 1,
  now: 0,
  state: ON_TURN,
  entries: [{ seq: 1, at: 0, event: { kind: 'began' } }],
  ...changes,
})
const welcome = (table: object = {}, game: object | null = {}, you: object = ADA) => ({
  type: 'welcome',
  you,
  table: tableOf(table),
  game: game && gameOf(game),
  present: [],
  missed: [],
  gone: [],
  chat: [],
})

const heard = () => spoken().map(({ text }) => text)
const button = (name: RegExp) =>
  [...document.querySelectorAll('button')].find((one) => name.test(one.getAttribute('aria-label') ?? one.textContent.trim()))
/** However busy the machine is. */
const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 20_000 })
const settled = async () => {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setTimeout(resolve))
  flushSync()
}
const press = async (key: string) => {
  const code = /^\d$/.test(key) ? `Digit${key}` : /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key
  const at = document.activeElement ?? document.body
  at.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }))
  await settled()
}

let page: object | null = null
async function open(told?: object) {
  page = mount(TablePage, { target: document.body.appendChild(document.createElement('main')), props: { code: 'ABCDEF' } })
  await settled()
  if (told) Line.last.hear(told)
  await settled()
}

beforeAll(async () => {
  await speak('en')
  await Promise.all(['cubed', 'set', 'puzzles'].map(loadGame))
  keepFocus()
})
beforeEach(() => {
  vi.stubGlobal('WebSocket', Line)
  Element.prototype.getClientRects = () => [{}] as unknown as DOMRectList
  localStorage.clear()
  settings.motion = 'less'
  become(ADA)
})
afterEach(async () => {
  if (page) await unmount(page)
  page = null
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const sent = (what: string) => Line.last.sent.filter(({ command }) => command?.do === what)
/** The server carries out what was sent last, and tells what happened. */
async function carryOut(...events: object[]) {
  const { id } = Line.last.sent.at(-1)!
  if (events.length) Line.last.hear({ type: 'events', game: 'g1', now: 0, entries: events.map((event, place) => ({ seq: place + 2, at: 0, event })) })
  Line.last.hear({ type: 'accepted', id, seq: events.length + 1 })
  await settled()
}
const squareNamed = (square: string) => document.querySelector<HTMLElement>(`[data-square="${square}"]`)!
async function put(key: string, square: string) {
  await press(key)
  squareNamed(square).click()
  await settled()
}

describe('at the dice table', () => {
  test('a draft is kept after the line was lost for a moment in which nothing happened', async () => {
    await open(welcome())
    const before = Line.last
    before.drop()
    await until(() => Line.last !== before)
    Line.last.hear(welcome())
    await settled()
    await put('1', 'd4')
    await put('2', 'd3')
    expect(draftOf('g1', 1).map(({ square }) => square)).toEqual(['d4', 'd3'])
    expect(button(/^Lay for/)).toBeDefined()
  })

  test('the focus is not lost when a wild was replaced', async () => {
    await open(welcome())
    await put('3', 'e5')
    const replace = button(/^Replace the wild/)!
    replace.focus()
    replace.click()
    await settled()
    await carryOut({ kind: 'replaced', seat: 0, square: 'e5', die: die(3, '2RO'), taken: die(21, '1RD'), could_lay: true })
    await until(() => !replace.isConnected)
    await until(() => document.activeElement !== document.body)
  })

  test('dice that one lays oneself do not come back into the hand before they lie on the board', async () => {
    settings.motion = 'full'
    await open(welcome())
    await put('1', 'd4')
    await put('2', 'd3')
    const hand: boolean[] = []
    const look = () => hand.push(...[1, 2].map((number) => document.querySelector(`[data-die="${number}"]:not(.away)`) !== null))
    const watching = new MutationObserver(look)
    watching.observe(document.body, { subtree: true, childList: true, attributes: true })
    await press('d')
    const placements = [
      { square: 'd4', face: '1GO', wild: false, die: 1 },
      { square: 'd3', face: '1PO', wild: false, die: 2 },
    ]
    await carryOut({ kind: 'laid', seat: 0, placements, points: 3 })
    await until(() => !document.querySelector('[data-die="1"]'))
    watching.disconnect()
    expect(hand.length).toBeGreaterThan(0)
    expect(hand).not.toContain(true)
  })

  test('every key is answered, also one that does nothing now', async () => {
    await open(welcome())
    const since = async (...keys: string[]) => {
      const known = spoken().at(-1)!.id
      for (const key of keys) await press(key)
      return spoken().flatMap(({ id, text }) => (id > known ? [text] : []))
    }
    await press('1')
    expect(await since('1')).toEqual(['Nothing chosen.'])
    squareNamed('a1').click()
    expect(heard().at(-1)).toBe('Your turn: choose a die.')
    await put('1', 'd4')
    expect(await since('d')).toEqual(['Now the second die, on a marked square.'])
    expect(await since('i')).toEqual(['No hints here.'])
  })

  test('a die is named by its key, also before anything can be done with it', async () => {
    await open(welcome({}, { state: { ...ON_TURN, phase: 'opening', turn: null, board: boardOf({}) } }))
    await press('4')
    expect(heard().at(-1)).toBe('Die 4: 2, green, squiggle.')
  })

  test('the dice one has are said before what to do with them', async () => {
    await open(welcome({}, { state: { ...ON_TURN, phase: 'extra_roll', turn: null } }))
    expect(heard().slice(-2).map((text) => text.split(':')[0])).toEqual(['Your dice', 'Extra roll'])
  })

  const EXTRA_ROLL = { ...ON_TURN, phase: 'extra_roll', turn: null, first: 0, round: 2, answered: [1], choices: [null, null] }
  const dieNamed = (number: number) => document.querySelector<HTMLElement>(`[data-die="${number}"]`)!
  const chosenDice = () => [...document.querySelectorAll<HTMLElement>('[data-die][aria-pressed="true"]')].map(({ dataset }) => Number(dataset.die))

  test('what was chosen for the extra roll is chosen again after a reload, and said, but not in the next round', async () => {
    const load = async (state: object) => {
      if (page) await unmount(page)
      document.body.innerHTML = ''
      await open(welcome({}, { state }))
    }
    await load(EXTRA_ROLL)
    await press('2')
    await press('4')
    await load(EXTRA_ROLL)
    expect(chosenDice()).toEqual([2, 4])
    expect(heard().at(-1)).toBe('Extra roll: choose the dice to throw again. 1, purple, oval: chosen. 2, green, squiggle: chosen.')
    await press('2')
    await load({ ...EXTRA_ROLL, hands: [ON_TURN.hands[0]!.slice(0, 4), []] })
    expect(chosenDice()).toEqual([4])
    await load({ ...EXTRA_ROLL, round: 3 })
    expect(chosenDice()).toEqual([])
    expect(draftOf('g1', 2)).toEqual([])
  })

  test('a finger that comes up after the extra roll chooses the die to lay, and what to do is said once', async () => {
    settings.motion = 'full'
    await open(welcome({}, { state: EXTRA_ROLL }))
    dieNamed(1).dispatchEvent(new Event('pointerdown', { bubbles: true }))
    const events = [
      { kind: 'chose', seat: 0, dice: [5] },
      { kind: 'threw', seat: 0, dice: [die(5, '3RD')] },
    ]
    Line.last.hear({ type: 'events', game: 'g1', now: 0, entries: events.map((event, place) => ({ seq: place + 2, at: 0, event })) })
    dieNamed(1).click()
    await settled()
    expect(chosenDice()).toEqual([1])
    squareNamed('d4').click()
    await settled()
    expect(heard().filter((text) => text === 'Your turn: choose a die.')).toHaveLength(0)
    expect(heard().at(-1)).toBe('Now the second die, on a marked square.')
  })

  test('a key that hurries what is shown decides nothing that one did not know yet', async () => {
    settings.motion = 'full'
    const hands = [[die(4, '2GS')], [die(7, '1GO'), die(8, '1PO'), die(9, '1RS')], [die(6, '2GD')]]
    const state = { ...ON_TURN, ...start({}, 3), phase: 'turn', turn: 1, first: 1, hands, board: boardOf({ d5: die(20, '1RO'), e5: die(21, '2RO') }) }
    await open(welcome({ seats: [seat('Ada'), seat('Greedy', 'greedy'), seat('Ben')] }, { state, names: ['Ada', 'Greedy', 'Ben'] }))
    const placements = [
      { square: 'd4', face: '1GO', wild: false, die: 7 },
      { square: 'd3', face: '1PO', wild: false, die: 8 },
    ]
    const events = [
      { kind: 'laid', seat: 1, placements, points: 3 },
      { kind: 'passed', seat: 2, could_lay: false, timed_out: false },
    ]
    Line.last.hear({ type: 'events', game: 'g1', now: 0, entries: events.map((event, place) => ({ seq: place + 2, at: 0, event })) })
    await until(() => heard().at(-1)!.startsWith('Greedy lays'))
    await press('d')
    expect(sent('pass')).toEqual([])
    expect(heard().at(-1)).toBe('Your turn. Nothing can be laid. Pass.')
    await press('d')
    expect(sent('pass')).toHaveLength(1)
  })

  test('who has chosen for the extra roll hears for whom all wait', async () => {
    await open(welcome({}, { state: { ...EXTRA_ROLL, answered: [] } }))
    await press('d')
    await carryOut({ kind: 'chose', seat: 0, dice: null })
    expect(heard().at(-1)).toBe('Waiting for Greedy.')
  })

  test('who looks on reads for whom the opening waits', async () => {
    const opening = { ...ON_TURN, phase: 'opening', turn: null, board: boardOf({}) }
    await open(welcome({}, { seat: null, state: opening }, { ...ADA, id: 'cleo', name: 'Cleo' }))
    expect(document.querySelector('.message')!.textContent.trim()).toBe('Waiting for Ada and Greedy.')
  })

  test('that a wild is to be replaced is asked aloud, and told with its square', async () => {
    await open(welcome())
    await put('3', 'e5')
    expect(heard().at(-1)).toBe('Put your die in place of the wild and throw the wild?')
    await press('d')
    await carryOut({ kind: 'replaced', seat: 0, square: 'e5', die: die(3, '2RO'), taken: die(21, '1RD'), could_lay: true })
    await until(() => heard().includes('You replace the wild on e5.'))
  })

  test('a key goes through the squares of a die, from the first one', async () => {
    await open(welcome())
    await press('1')
    expect(heard().at(-1)).toBe('N goes through these squares.')
    const at = () => (document.activeElement as HTMLElement).dataset.square
    await press('n')
    const first = at()
    await press('n')
    expect(at()).not.toBe(first)
    await press('2')
    expect(heard().at(-1)).not.toContain('N goes')
    await press('n')
    expect(at()).toBe(first)
  })

  test('a wild is named without a way past the button that closes', async () => {
    const hands = [[die(1, '1GO'), die(2, 'W'), die(3, '2RO')], [die(6, '2GD')]]
    await open(welcome({}, { state: { ...ON_TURN, hands } }))
    await put('2', 'd4')
    expect((document.activeElement as HTMLElement).dataset.face).toBeDefined()
  })
})

describe('at the card table', () => {
  const CARDS = ['1RFD', '2RFD', '3RFD', '1GHO', '2GHO', '3GHO', '1PES', '2PES', '3PES', '1RHD', '2RHD', '3GES', '1GES', '2PHO', '3GFO']
  const lying = { ...set.start({}, 2), phase: 'play', round: 1, table: CARDS, deck: [] }
  const told = (table: object = {}) => welcome({ game: 'set', ...table }, { game: 'set', state: lying })
  const labels = (...places: number[]) => places.map((place) => document.querySelectorAll('[data-card]')[place]!.getAttribute('aria-label'))
  const pick = async (...cards: string[]) => {
    for (const card of cards) document.querySelector<HTMLElement>(`[data-card="${card}"]`)!.click()
    await settled()
  }

  test('cards that close ranks have moved, and are not new', async () => {
    await open(told())
    await pick('1RFD', '2RFD', '3RFD')
    await press('l')
    await carryOut({ kind: 'called', seat: 0 }, { kind: 'took', seat: 0, cards: ['1RFD', '2RFD', '3RFD'], dealt: [] })
    await until(() => heard().at(-1)!.startsWith('Moved:'))
    expect(heard().at(-1)).toBe(`Moved: ${labels(0, 1, 2).join('; ')}.`)
    expect(heard().filter((text) => text.startsWith('New:'))).toEqual([])
  })

  test('a fourth card takes the place of the first, and that is said', async () => {
    await open(told())
    await pick('1RFD', '2RFD', '3RFD', '1GHO')
    expect(heard().slice(-3)).toEqual(['1, green, hatched, oval: chosen.', '1, red, full, diamond: no longer chosen.', '3 chosen: L calls.'])
  })

  test('who cannot call hears why', async () => {
    // Otherwise a clock that goes is an error here, and nowhere else.
    const motion = vi.spyOn(Element.prototype, 'animate').mockReturnValue({ cancel: () => {} } as Animation)
    await open(told({ seats: [seat('Ada'), seat('Ben')] }))
    Line.last.hear({ type: 'events', game: 'g1', now: 0, entries: [{ seq: 2, at: 0, event: { kind: 'called', seat: 1, until: 0 } }] })
    await settled()
    await press('l')
    expect(heard().at(-1)).toBe('Ben has called.')
    await press('0')
    expect(heard().slice(-2)).toEqual(['Ben has called.', 'Ben has called.'])
    expect(Line.last.sent.filter(({ command }) => command)).toEqual([])
    await unmount(page!)
    page = null
    motion.mockRestore()
  })

  test('who does not deal hears once who does', async () => {
    await open(welcome({ game: 'set', seats: [seat('Ada'), seat('Ben')] }, { game: 'set', names: ['Ada', 'Ben'], state: { ...lying, phase: 'deal', dealer: 1 } }))
    expect(heard().filter((text) => text === 'Ben deals…')).toHaveLength(1)
  })

  test('at the end nothing is said of what one had chosen', async () => {
    await open(told())
    await pick('1RFD', '1GHO')
    const events = [
      { kind: 'took', seat: 1, cards: ['1RFD', '2RFD', '3RFD'], dealt: [] },
      { kind: 'round_ended', left: CARDS.slice(3) },
      { kind: 'ended', scores: [0, 1], winners: [1] },
    ]
    Line.last.hear({ type: 'events', game: 'g1', now: 0, entries: events.map((event, place) => ({ seq: place + 2, at: 0, event })) })
    await until(() => heard().some((text) => text.startsWith('The game is over.')))
    await settled()
    expect(heard().at(-1)).toMatch(/^The game is over\./)
  })

  test('a hint that is asked for again names the cards, and itself once', async () => {
    await open(told({ practice: true }))
    for (const cards of [['1RFD'], ['1RFD', '2RFD']]) {
      await press('i')
      Line.last.hear({ type: 'hint', id: Line.last.sent.at(-1)!.id, hint: { cards } })
      await settled()
    }
    expect(heard().at(-1)!.match(/Hint/g)).toHaveLength(1)
  })

  test('who reacts is heard', async () => {
    await open(told())
    Line.last.hear({ type: 'reaction', person: 'ada', reaction: 'wow' })
    await settled()
    expect(heard().at(-1)).toBe('Ada: Wow!')
  })
})

describe('the end of a game of dice', () => {
  const ended = { kind: 'ended', scores: [3, 0] } as CubedEvent & { kind: 'ended' }
  const state = { ...ON_TURN, phase: 'over' as const, turn: null }
  const over: Scene = { kind: 'over', event: ended, seq: 9, timeUp: false, after: state }
  const turn: Scene & { kind: 'turn' } = {
    ...{ kind: 'turn', marks: [], bonus: 0, seq: 8, timeUp: false, after: state },
    event: { kind: 'laid', seat: 1, placements: [{ square: 'd4', face: '1GO', wild: false, die: 1 }], points: 3 },
  }
  const stageOf = () => {
    const told = { said: [] as string[], over: 0 }
    const nowhere = () => null
    const stage = new Stage({
      actual: () => state,
      me: () => null,
      places: { onBoard: nowhere, held: nowhere, seat: nowhere, bag: nowhere },
      say: ({ kind }) => told.said.push(kind),
      changed: () => {},
      over: () => told.over++,
    })
    return { stage, told }
  }
  beforeEach(() => vi.useFakeTimers())

  test('is told once, not at every key', async () => {
    const { stage, told } = stageOf()
    stage.play(ON_TURN, [turn, over])
    for (let key = 0; key < 4; key++) {
      stage.hurry()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(told.said).toEqual(['turn', 'over'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(told.over).toBe(1)
  })

  test('comes to its result, though somebody looks at a line of the log', async () => {
    const { stage, told } = stageOf()
    stage.play(ON_TURN, [over])
    await vi.advanceTimersByTimeAsync(100)
    stage.showAgain(turn)
    await vi.advanceTimersByTimeAsync(5000)
    expect(told.over).toBe(1)
    expect(stage.isBehind).toBe(false)
  })
})

describe('a first game', () => {
  const seats = [seat('Ada'), seat('Beginner', 'beginner:gentle')]
  const SAID = /Your first game/
  beforeEach(() => (settings.soundAsked = true))

  test('is called so', async () => {
    await open(welcome({ seats }))
    expect(document.body.textContent).toMatch(SAID)
  })

  test('and the rematch is not', async () => {
    await open(welcome({ seats, last: { game: 'g0', scores: [3, 0], winners: [0] } }))
    expect(document.body.textContent).not.toMatch(SAID)
  })
})

describe('a table that is gone', () => {
  const leadsTo = () => [...document.querySelectorAll<HTMLAnchorElement>('main .page a.button')].map((one) => one.getAttribute('href'))

  test('says so, and leads on', async () => {
    await open(welcome({ phase: 'closed', playing: null }, null))
    await until(() => document.querySelector('h1')?.textContent === 'This table is closed.')
    expect(leadsTo()).toEqual(['/', '/games'])
  })

  test('lets whom the host sent away ask again', async () => {
    await open(welcome())
    Line.last.hear({ type: 'bye', reason: 'kicked' })
    const before = Line.last
    await until(() => button(/^Try again/) !== undefined)
    button(/^Try again/)!.click()
    await until(() => Line.last !== before)
    expect(leadsTo()).toEqual([])
  })
})

describe('who is away', () => {
  test('hears on coming back what happened', async () => {
    localStorage.setItem('tercet.left', JSON.stringify({ game: 'g1', seq: 1, scores: [0, 0], time: 0 }))
    const entries = [...gameOf({}).entries, { seq: 2, at: 0, event: { kind: 'passed', seat: 1, could_lay: false, timed_out: false } }]
    await open(welcome({}, { seq: 2, entries, state: { ...ON_TURN, scores: [0, 3] } }))
    expect(heard().filter((text) => text === 'While you were away: Greedy +3')).toHaveLength(1)
  })

  test('may come back while the game is paused', async () => {
    const taken = [{ seat: 0, before: ['Ada'] }]
    await open(welcome({ paused: 'wanted', seats: [seat('Steady', 'steady'), seat('Ben')], host: 'ben', taken_over: taken }, { seat: null, own_seat: 0 }))
    const back = button(/^Sit down again/)
    expect(back).toBeDefined()
    expect(heard().filter((text) => text === 'Steady now plays in your place.')).toHaveLength(1)
    back!.click()
    await settled()
    expect(sent('sit')[0]!.command).toMatchObject({ do: 'sit', seat: 0 })
  })

  test('is waited for in silence: of the seconds only the first and the last are said', async () => {
    vi.useFakeTimers()
    const known = spoken().at(-1)?.id ?? 0
    const waiting = { standIn: { at: performance.now() + 5000, ask: async () => '' }, name: 'Ben', aloud: true }
    page = mount(LetBot, { target: document.body, props: waiting })
    for (let second = 0; second < 7; second++) {
      flushSync()
      expect(document.querySelector('[aria-live], [role=status], [role=timer]')).toBeNull()
      vi.advanceTimersByTime(1000)
    }
    expect(spoken().flatMap(({ id, text }) => (id > known ? [text] : []))).toEqual(['A bot can play on for Ben in 5 s', 'Let a bot play for Ben'])
  })
})

test('what is picked for an item is still picked after a lost connection', async () => {
  const shown = ['1RFO', '2GHS', '3PED', '1RED', '2GFO', '3PHS']
  const item = () => ({ asked: 'find', of: 'cards', shown: [...shown], choices: [], position: null, difficulty: 1000 })
  const state = () => {
    const begun = puzzles.start({ kind: 'race' }, 1)
    return { ...begun, phase: 'play', items: [item()], runners: begun.runners.map((runner) => ({ ...runner, until: 90_000 })) }
  }
  const race = () => welcome({ game: 'puzzles', seats: [seat('Ada')] }, { game: 'puzzles', names: ['Ada'], state: state() })
  const picked = () => [...document.querySelectorAll<HTMLElement>('[data-sign][aria-pressed=true]')].map(({ dataset }) => dataset.sign)
  await open(race())
  await until(() => document.querySelector('[data-sign]') !== null)
  for (const sign of shown.slice(0, 2)) document.querySelector<HTMLElement>(`[data-sign="${sign}"]`)!.click()
  await settled()
  expect(picked()).toEqual(shown.slice(0, 2))
  Line.last.drop()
  dispatchEvent(new Event('online'))
  Line.last.hear(race())
  await settled()
  expect(picked()).toEqual(shown.slice(0, 2))
})
