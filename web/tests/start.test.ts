import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { commitSecret } from '../src/fairness'
import { loadGame } from '../src/games'
import { promiseOf } from '../src/promises'
import { Connection } from '../src/table/connection.svelte'

type Sent = { type: string; command: { do: string; to: string; commitment: string; secret: string } }

/** A socket that remembers what it was told; the test speaks for the server. */
class Line {
  static last: Line
  static readonly OPEN = 1
  readyState = 1
  sent: Sent[] = []
  onmessage: (message: { data: string }) => void = () => {}
  onclose = () => {}
  constructor() {
    Line.last = this
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {}
  hear(message: object) {
    this.onmessage({ data: JSON.stringify(message) })
  }
}

const TO = 'aa'.repeat(32)
const OTHER = 'bb'.repeat(32)
const TERMS = { game: 'set', options: '{"claim":"instant","rounds":1}', table: 'K7QXRM', number: 3 }
const seat = (person: string | null) => ({ name: person ?? 'Bot', person, bot: person ? null : 'casual', ready: true })
const TABLE = {
  code: 'K7QXRM',
  game: 'set',
  options: { rounds: 1, claim: 'instant' },
  number: 3,
  called_off: 1,
  commitment: TO,
  seats: [seat('p'), seat('q'), seat(null)],
  start: null,
}
const start = (stage: string, commitments: string[], more: object = {}) => ({
  type: 'table_changed',
  table: { ...TABLE, start: { stage, commitments, waits_for: [], until_time: 0 }, ...more },
})

describe('F1 the start of a game', () => {
  let connection: Connection

  beforeAll(() => loadGame('set').then(() => {}), 60_000)
  beforeEach(async () => {
    localStorage.clear()
    vi.stubGlobal('WebSocket', Line)
    connection = new Connection('K7QXRM')
    Line.last.hear({ type: 'welcome', you: { id: 'p' }, table: TABLE, game: null, present: [], chat: [] })
    await vi.waitUntil(() => connection.link === 'open', { timeout: 8000 })
  })
  afterEach(() => {
    connection.close()
    vi.unstubAllGlobals()
  })

  function committed(): string {
    Line.last.hear(start('committing', ['', '', '']))
    Line.last.hear(start('committing', ['', OTHER, '']))
    expect(Line.last.sent).toHaveLength(1)
    const { command } = Line.last.sent[0]!
    expect(command).toMatchObject({ do: 'commit', to: TO })
    return command.commitment
  }

  test('commits, keeps the list, and reveals, each once and without a click', () => {
    const mine = committed()
    Line.last.hear(start('revealing', [mine, OTHER, '']))
    Line.last.hear(start('revealing', [mine, OTHER, '']))
    expect(Line.last.sent).toHaveLength(2)
    const { command } = Line.last.sent[1]!
    expect(command).toMatchObject({ do: 'reveal', to: TO })
    expect(commitSecret(command.secret, TERMS)).toBe(mine)
    expect(promiseOf(TERMS)).toEqual({
      terms: TERMS,
      commitment: TO,
      commitments: [mine, OTHER, ''],
      called_off: 1,
      seat: 0,
      secret: command.secret,
    })
  })

  test.each([
    ['another seed', (mine: string) => start('revealing', [mine, OTHER, ''], { commitment: OTHER })],
    ['another in our place', () => start('revealing', [OTHER, OTHER, ''])],
    ['somebody missing', (mine: string) => start('revealing', [mine, '', ''])],
    ['another number', (mine: string) => start('revealing', [mine, OTHER, ''], { number: 4 })],
    ['other options', (mine: string) => start('revealing', [mine, OTHER, ''], { options: {} })],
  ])('shows nothing for a list with %s', (_, list) => {
    Line.last.hear(list(committed()))
    expect(Line.last.sent).toHaveLength(1)
  })

  test('a new start has a new secret', () => {
    const first = committed()
    const { table } = start('committing', ['', '', ''], { commitment: OTHER, called_off: 2 })
    Line.last.hear({ type: 'table_changed', table })
    expect(Line.last.sent[1]!.command).toMatchObject({ do: 'commit', to: OTHER })
    expect(Line.last.sent[1]!.command.commitment).not.toBe(first)
  })

  test('a page that is loaded again finds its secret', async () => {
    const mine = committed()
    connection.close()
    connection = new Connection('K7QXRM')
    const { table } = start('revealing', [mine, OTHER, ''])
    Line.last.hear({ type: 'welcome', you: { id: 'p' }, table, game: null, present: [], chat: [] })
    await vi.waitUntil(() => Line.last.sent.length > 0)
    expect(commitSecret(Line.last.sent[0]!.command.secret, TERMS)).toBe(mine)
  })

  test('promises are kept within bounds', () => {
    for (let number = 1; number <= 70; number++)
      Line.last.hear(start('revealing', [OTHER, OTHER, ''], { number, commitment: String(number % 10).repeat(64) }))
    const kept = JSON.parse(localStorage.getItem('tercet-promises')!) as unknown[]
    expect(kept.length).toBeLessThanOrEqual(50)
    expect(promiseOf({ table: 'K7QXRM', number: 70 })).toBeDefined()
  })
})
