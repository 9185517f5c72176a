/** A table as this browser knows it: one socket, opened again when it is lost. */

import { announce } from '../announce.svelte'
import { to } from '../base'
import { loadGame } from '../games'
import type { Command, Entry, GameModule, GameState } from '../games/module'
import {
  CLOSE_CODES,
  type ClientMessage,
  type Gone,
  type Hint,
  type Me,
  type Present,
  type Refused,
  type RunningGame,
  type ReviewNews,
  type Said,
  type ServerMessage,
  type Table,
  type TableCommand,
  type TakenOver,
} from '../protocol'
import { whoAmI } from '../api'
import { become } from '../person.svelte'
import { messageNamed } from '../language.svelte'
import { isolated, refusalText, resultNames, seatName } from '../words'
import type { StandIn } from './LetBot.svelte'
import { meanwhile, rememberLeaving, type Meanwhile } from './meanwhile'
import { Secret } from './secret'

/** A game with the state as the site keeps it. */
export type Running = Omit<RunningGame, 'state'> & { state: GameState }
export type Link = 'connecting' | 'open' | 'lost' | 'ended'
/** null: carried out. */
export type Answer = Refused['refusal'] | null
type Ask = Exclude<ClientMessage, { type: 'pong' }>
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never
type Question = DistributiveOmit<Ask, 'id'>

const FIRST_WAIT = 250
const LONGEST_WAIT = 4000
const CHAT_KEPT = 200
/** Who waits longer for an answer is told so. */
const STALLED_MS = 2000
const JUST_BEGUN_MS = 3000
/** An answer with a new cookie may take a moment after the old one has ended: when to look for it. */
const NEW_SESSION_WAITS = [500, 1500]
/** Goodbyes after which another try is worth it. */
const COMES_BACK: readonly string[] = ['slow', 'restart', 'signed_out']
/** Why the server closes for good. */
const FINAL = ['kicked', 'not_signed_in', 'other_origin', 'wrong_host', 'no_such_table', 'too_many'] as const

export class Connection {
  link = $state<Link>('connecting')
  goodbye = $state<string | null>(null)
  you = $state.raw<Me | null>(null)
  table = $state.raw<Table | null>(null)
  game = $state.raw<Running | null>(null)
  /** The game of this table: there before anything else is known. */
  rules = $state.raw<GameModule | null>(null)
  entries = $state.raw<Entry[]>([])
  present = $state.raw<Present[]>([])
  /** A bot here waits for its turn to think, and so many others are ahead; null if none waits. */
  botsAhead = $state<number | null>(null)
  /** The last that was said about the review of a game of this table. */
  review = $state.raw<ReviewNews | null>(null)
  /** The seats whose people are gone, and when that was told, on the clock of the page. */
  #gone = $state.raw<{ all: readonly Gone[]; told: number }>({ all: [], told: 0 })
  /** What happened while one was away; null once that is known. */
  meanwhile = $state.raw<Meanwhile | null>(null)
  chat = $state.raw<Said[]>([])
  reactions = $state.raw<{ person: string; reaction: string; id: number }[]>([])
  /** The game is over, and its table is still looked at: the result comes when that says so. */
  lingers = $state(false)
  /** Shows an event again at the table, by its number; null where nothing can be shown. */
  showAgain = $state.raw<((seq: number) => void) | null>(null)
  unread = $state(0)
  /** Something was asked a while ago, and there is no answer: the line may be dead, though nobody has said so. */
  stalled = $state(false)
  muted = $state(false)

  /** Called with new events just before the state changes, and again just after. Whoever takes a moment for it is waited for. */
  before: (entries: Entry[]) => Promise<void> | void = () => {}
  after: (entries: Entry[]) => Promise<void> | void = () => {}

  #socket: WebSocket | null = null
  #unheard: Exclude<ServerMessage, { type: 'ping' }>[] = []
  #hearing = false
  #waiting = new Map<string, { question: Ask; settle: (answer: Answer | Hint) => void }>()
  /** The commands of the game that are not answered yet, each with the answer to come. */
  #played = new Map<string, Promise<Answer>>()
  #wait = FIRST_WAIT
  #retry: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #count = 0
  #clock = { now: 0, at: 0 }
  readonly #secret = new Secret((command) => void this.manage(command))
  readonly #run = Math.random().toString(36).slice(2, 8)

  constructor(readonly code: string) {
    this.#open()
    addEventListener('online', this.#openNow)
    addEventListener('offline', this.#noteOffline)
    addEventListener('pagehide', this.#leave)
  }

  close(): void {
    this.#leave()
    this.#closed = true
    clearTimeout(this.#retry)
    removeEventListener('online', this.#openNow)
    removeEventListener('offline', this.#noteOffline)
    removeEventListener('pagehide', this.#leave)
    this.#socket?.close()
  }

  /** Come in again, as somebody whose name has changed; what is asked meanwhile waits. */
  comeInAgain(): void {
    this.#open()
  }

  /** Milliseconds since the start of the game, on the server's clock; while the game stands still so does it. */
  now(): number {
    return this.#clock.now + (this.table?.paused ? 0 : performance.now() - this.#clock.at)
  }

  /** Whether the person of a seat is not there. */
  isAway(seat: number): boolean {
    const person = this.table?.seats[seat]?.person
    return Boolean(person) && (this.present.find((one) => one.person === person)?.quality ?? 'offline') === 'offline'
  }

  /** How one lets a bot play on for the person of a seat who is gone, and from when on; undefined where one may not. */
  standIn(seat: number): StandIn | undefined {
    const { all, told } = this.#gone
    const gone = all.find((one) => one.seat === seat)
    if (!gone || !this.isAway(seat) || (!this.isHost && (this.game?.seat ?? null) === null)) return
    const wait = this.isHost ? gone.host_ms : gone.anybody_ms
    if (wait === null) return
    const ask = async () => {
      const answer = await this.manage({ do: 'stand_in', seat })
      return answer ? refusalText(answer, this.names) : ''
    }
    return { at: told + wait, ask }
  }

  /** The game began a moment ago: its first cards or dice come to the table just now. */
  get hasJustBegun(): boolean {
    return this.now() < JUST_BEGUN_MS
  }

  /** The same again before the first is answered is a second click: it is not sent, and has the answer of the first. */
  play(command: Command): Promise<Answer> {
    if (command.do !== 'draft') this.meanwhile = null
    const seat = this.game?.seat ?? 0
    const text = JSON.stringify(command)
    const first = this.#played.get(text)
    if (first) return first
    const question = { type: 'play', command: { ...command, seat } } as unknown as Question
    const answer = (this.#ask(question) as Promise<Answer>).finally(() => this.#played.delete(text))
    this.#played.set(text, answer)
    return answer
  }

  manage(command: TableCommand): Promise<Answer> {
    return this.#ask({ type: 'manage', command }) as Promise<Answer>
  }

  say(text: string): Promise<Answer> {
    return this.#ask({ type: 'say', text }) as Promise<Answer>
  }

  react(reaction: (ClientMessage & { type: 'react' })['reaction']): Promise<Answer> {
    return this.#ask({ type: 'react', reaction }) as Promise<Answer>
  }

  muteAll(muted: boolean): Promise<Answer> {
    this.muted = muted
    return this.#ask({ type: 'mute', person: null, muted }) as Promise<Answer>
  }

  hint(strength: number): Promise<Answer | Hint> {
    return this.#ask({ type: 'ask_hint', strength })
  }

  /** The names of those who play, bots in the language in use; a seat may change hands while a game runs. */
  get names(): string[] {
    const { game, table } = this
    if (!game || !table) return []
    if (table.playing === game.id) return table.seats.map(({ name, bot }) => seatName(name, bot))
    return table.last?.game === game.id ? resultNames(table.last) : [...game.names]
  }

  /** The names of those who sit, as they are written at the table. */
  get sitters(): string[] {
    return this.table?.seats.map(({ name }) => name) ?? []
  }

  /** The seats that have changed hands in this game. */
  get takenOver(): readonly TakenOver[] {
    const { game, table } = this
    return (table?.playing === game?.id ? table?.taken_over : table?.last?.game === game?.id ? table?.last?.taken_over : null) ?? []
  }

  /** The bots that sit here now, seat by seat. */
  get bots(): (string | null)[] {
    return this.table?.seats.map(({ bot }) => bot) ?? []
  }

  /** Whether nobody else plays but bots, so that one may pause. */
  get mayPause(): boolean {
    const people = this.table?.seats.filter(({ person }) => person !== null) ?? []
    return this.table?.phase === 'playing' && !this.table.run && people.length === 1 && people[0]!.person === this.you?.id
  }

  get isHost(): boolean {
    return this.table !== null && this.table.host === this.you?.id
  }

  /** Somebody else is at the table who can read and answer. */
  get hasCompany(): boolean {
    const others = [...this.present, ...(this.table?.seats ?? [])].map(({ person }) => person)
    return this.chat.length > 0 || others.some((person) => person !== null && person !== this.you?.id)
  }

  #ask(question: Question): Promise<Answer | Hint> {
    const asked = { ...question, id: `${this.#run}-${++this.#count}` } as Ask
    return new Promise((settle) => {
      const late = question.type === 'play' ? setTimeout(() => (this.stalled = true), STALLED_MS) : undefined
      this.#waiting.set(asked.id, {
        question: asked,
        settle: (answer) => {
          clearTimeout(late)
          this.stalled = false
          settle(answer)
        },
      })
      this.#send(asked)
    })
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN && this.link === 'open') this.#socket.send(JSON.stringify(message))
  }

  /** Remember how things stood when one was last here. */
  #leave = (): void => {
    if (this.game && this.link === 'open') rememberLeaving({ ...this.game, seq: this.entries.at(-1)?.seq ?? 0 })
  }

  #noteOffline = (): void => {
    this.stalled = true
  }

  #openNow = (): void => {
    this.stalled = this.#waiting.size > 0
    if (this.link !== 'lost') return
    this.#wait = FIRST_WAIT
    this.#open()
  }

  /** There is one line at a time: of one that may still be on its way nothing is heard any more. */
  #open(): void {
    clearTimeout(this.#retry)
    if (this.#socket) this.#socket.onclose = this.#socket.onmessage = null
    this.#socket?.close()
    const address = new URL(to(`/api/tables/${encodeURIComponent(this.code)}/socket`), location.href)
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const last = this.entries.at(-1)
    if (this.game && last) {
      address.searchParams.set('game', this.game.id)
      address.searchParams.set('seen', String(last.seq))
    }
    const socket = new WebSocket(address)
    this.#socket = socket
    this.#unheard = []
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as ServerMessage)
    socket.onclose = ({ code }) => {
      if (this.#closed || this.goodbye !== null) return
      const final = FINAL.find((reason) => CLOSE_CODES[reason] === code)
      if (final) {
        this.goodbye = final
        this.link = 'ended'
        return
      }
      this.#leave()
      this.link = 'lost'
      if (code === CLOSE_CODES.signed_out) return void this.#lookWhoIsHere()
      this.#retry = setTimeout(() => this.#open(), this.#wait)
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT)
    }
  }

  /** The session is over. Whoever logged in or made an account in another tab has a new one by now, and goes on with it. */
  async #lookWhoIsHere(): Promise<void> {
    let person: Me | null | undefined = null
    for (const wait of NEW_SESSION_WAITS) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      person = await whoAmI().catch(() => undefined)
      if (this.#closed) return
      if (person !== null) break
    }
    if (person !== undefined) become(person)
    if (person !== null) return this.#open()
    this.goodbye = 'signed_out'
    this.link = 'ended'
  }

  /** Nothing is heard before the game is here: its rules say what events mean. How far away one is depends on nothing else. */
  #take(message: ServerMessage): void {
    if (this.stalled && !this.#waiting.size) this.stalled = false
    if (message.type === 'ping') return this.#send({ type: 'pong', number: message.number })
    this.#unheard.push(message)
    if (this.rules) return void this.#listen()
    if (message.type !== 'welcome') return
    loadGame(message.table.game).then(
      (rules) => {
        this.rules = rules
        void this.#listen()
      },
      () => this.#socket?.close(),
    )
  }

  /** One message after the other. */
  async #listen(): Promise<void> {
    if (this.#hearing) return
    this.#hearing = true
    try {
      for (let message = this.#unheard.shift(); message && !this.#closed; message = this.#unheard.shift()) {
        const moment = this.#hear(message)
        if (moment) await moment
      }
    } finally {
      this.#hearing = false
    }
  }

  #hear(message: Exclude<ServerMessage, { type: 'ping' }>): Promise<void> | void {
    switch (message.type) {
      case 'welcome':
        return this.#welcome(message)
      case 'table_changed':
        this.#change(message.table)
        return this.#secret.takePart(message.table, this.#place(message.table))
      case 'game_started':
        return this.#begin(this.#read(message.game))
      case 'events':
        return this.#happen(message)
      case 'accepted':
        return this.#settle(message.id, null)
      case 'refused':
        return this.#settle(message.id, message.refusal)
      case 'hint':
        return this.#settle(message.id, message)
      case 'presence':
        this.present = message.present
        this.#gone = { all: message.gone, told: performance.now() }
        return
      case 'bots_waiting':
        this.botsAhead = message.ahead
        return
      case 'review_news':
        this.review = message
        return
      case 'chat':
        this.chat = [...this.chat, message.said].slice(-CHAT_KEPT)
        if (message.said.person !== this.you?.id) this.unread++
        return
      case 'reaction':
        return this.#showReaction(message.person, message.reaction)
      case 'bye':
        if (COMES_BACK.includes(message.reason)) return
        this.goodbye = message.reason
        this.link = 'ended'
    }
  }

  /** Where one sits. */
  #place(table: Table): number | null {
    const place = table.seats.findIndex(({ person }) => person !== null && person === this.you?.id)
    return place < 0 ? null : place
  }

  #change(table: Table): void {
    // A clock that stood still goes on from where it stood.
    this.#clock = { now: this.now(), at: performance.now() }
    this.table = table
    const seat = this.#place(table)
    if (this.game && table.playing === this.game.id && seat !== this.game.seat)
      this.game = { ...this.game, seat, own_seat: seat === null ? (this.game.seat ?? this.game.own_seat) : null }
  }

  #welcome({ you, table, game, present, gone, chat }: ServerMessage & { type: 'welcome' }): void {
    this.link = 'open'
    this.#wait = FIRST_WAIT
    this.you = you
    this.table = table
    this.present = present
    this.botsAhead = null
    this.#gone = { all: gone, told: performance.now() }
    this.chat = chat
    if (game) this.#begin(this.#read(game))
    if (game) this.meanwhile = meanwhile(this.#read(game), this.rules!, this.names)
    this.#secret.takePart(table, this.#place(table))
    for (const { question } of this.#waiting.values()) this.#send(question)
    // The server mutes a connection, and this is a new one.
    if (this.muted) void this.muteAll(true)
  }

  #read(told: RunningGame): Running {
    const state = told.state as unknown as GameState
    return { ...told, state: this.rules!.read?.(state) ?? state }
  }

  #begin(game: Running): void {
    const known = game.id === this.game?.id ? this.entries : []
    const last = known.at(-1)?.seq ?? 0
    const news = game.entries.filter(({ seq }) => seq > last)
    const goesOn = known.length > 0 && (news.length === 0 || news[0]!.seq === last + 1)
    this.#clock = { now: game.now, at: performance.now() }
    if (goesOn) void this.before(news)
    this.game = game
    this.entries = goesOn ? [...known, ...news] : game.entries
    if (goesOn) void this.after(news)
  }

  #happen({ game, entries, now }: ServerMessage & { type: 'events' }): Promise<void> | void {
    if (!this.game || this.game.id !== game) return
    const last = this.entries.at(-1)?.seq ?? 0
    const news = entries.filter(({ seq }) => seq > last)
    this.#clock = { now, at: performance.now() }
    const change = () => {
      if (!this.game || this.game.id !== game) return
      const state = (news as Entry[]).reduce<GameState>((state, { event, at }) => this.rules!.evolve(state, event, at), this.game.state)
      this.game = { ...this.game, state }
      this.entries = [...this.entries, ...news]
      return this.after(news)
    }
    const moment = this.before(news)
    return moment ? moment.then(change) : change()
  }

  #settle(id: string, answer: Answer | Hint): void {
    this.#waiting.get(id)?.settle(answer)
    this.#waiting.delete(id)
  }

  #showReaction(person: string, reaction: string): void {
    const id = ++this.#count
    this.reactions = [...this.reactions, { person, reaction, id }]
    const name = [...(this.table?.seats ?? []), ...this.present].find((one) => one.person === person)?.name ?? ''
    announce(`${isolated(name)}: ${messageNamed(`reaction_${reaction}`)?.({}) ?? ''}`, 'usual')
    setTimeout(() => (this.reactions = this.reactions.filter((shown) => shown.id !== id)), 3000)
  }
}
