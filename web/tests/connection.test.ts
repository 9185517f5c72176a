import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Connection, type Answer } from '../src/table/connection.svelte'
import { Line } from './line'

const WELCOME = { type: 'welcome', you: { id: 'p' }, table: { game: 'cubed', seats: [] }, game: null, present: [], chat: [] }

describe('a second click', () => {
  let connection: Connection
  const answers: (Answer | undefined)[] = []
  const lay = (square: string) => ({ do: 'lay', placements: [{ square, face: '2GS', die: 1 }] })
  const play = (command: { do: string }) => void connection.play(command).then((answer) => answers.push(answer))

  beforeEach(async () => {
    vi.stubGlobal('WebSocket', Line)
    answers.length = 0
    connection = new Connection('code')
    Line.last.hear(WELCOME)
    await vi.waitUntil(() => connection.link === 'open')
  })
  afterEach(() => {
    connection.close()
    vi.unstubAllGlobals()
  })

  test('is not sent, and not answered before the first', async () => {
    play(lay('e5'))
    play(lay('e5'))
    await Promise.resolve()
    expect(Line.last.sent).toHaveLength(1)
    expect(answers).toEqual([])
    const refusal = { code: 'makes_no_set', square: 'e5' }
    Line.last.hear({ type: 'refused', id: Line.last.sent[0]!.id, refusal })
    await vi.waitUntil(() => answers.length === 2)
    expect(answers).toEqual([refusal, refusal])
  })

  test('after the answer is a new command, and so is another one before it', async () => {
    play(lay('e5'))
    play(lay('e6'))
    expect(Line.last.sent).toHaveLength(2)
    Line.last.hear({ type: 'accepted', id: Line.last.sent[1]!.id, seq: 7 })
    await vi.waitUntil(() => answers.length === 1)
    play(lay('e6'))
    expect(Line.last.sent).toHaveLength(3)
    expect(answers).toEqual([null])
  })

  test('and when no answer comes for a while, that is said until one does', async () => {
    vi.useFakeTimers()
    play(lay('e5'))
    vi.advanceTimersByTime(1900)
    expect(connection.stalled).toBe(false)
    vi.advanceTimersByTime(200)
    expect(connection.stalled).toBe(true)
    Line.last.hear({ type: 'accepted', id: Line.last.sent[0]!.id, seq: 7 })
    vi.useRealTimers()
    await vi.waitUntil(() => answers.length === 1)
    expect(connection.stalled).toBe(false)
    dispatchEvent(new Event('offline'))
    expect(connection.stalled).toBe(true)
    dispatchEvent(new Event('online'))
    expect(connection.stalled).toBe(false)
  })
})

test('with the network one is back at once, by one line', async () => {
  vi.stubGlobal('WebSocket', Line)
  vi.useFakeTimers()
  const connection = new Connection('code')
  Line.last.hear(WELCOME)
  await vi.waitUntil(() => connection.link === 'open')
  // Each try is in vain, and the next one later.
  for (let tries = 0; tries < 6; tries++) {
    Line.last.drop()
    vi.advanceTimersByTime(4000)
  }
  const trying = Line.last
  expect(connection.link).toBe('lost')
  dispatchEvent(new Event('online'))
  expect(Line.last).not.toBe(trying)
  expect(trying.readyState).toBe(3)
  trying.hear(WELCOME)
  trying.drop()
  await Promise.resolve()
  expect(connection.link).toBe('lost')
  const line = Line.last
  vi.advanceTimersByTime(4000)
  expect(Line.last).toBe(line)
  // The network is there and the server not yet: it is not waited for as long as before.
  line.drop()
  vi.advanceTimersByTime(300)
  expect(Line.last).not.toBe(line)
  Line.last.hear(WELCOME)
  await vi.waitUntil(() => connection.link === 'open')
  connection.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
