/** The voice of the table: one sentence at a time, to be seen in its message and heard from a screen reader. */

import { untrack } from 'svelte'
import { announce, isWanted } from '../announce.svelte'
import type { GameEvent } from '../games/module'
import { m } from '../language.svelte'
import { settings } from '../settings.svelte'
import { playSound } from '../sound'
import { asSentence, refusalText } from '../words'
import type { Answer, Connection } from './connection.svelte'
import { isOfBot, isPresence } from './sitters'
import { seatNews, standingText, type News, type Tone } from './news'

/** So long the news of a seat goes before what is said next: a bot that takes over may move at once. */
const SEAT_NEWS_MS = 4000

/** Where the keys are is said once, not after every pause. */
let knowsHelp = false

export class Voice {
  text = $state('')
  tone = $state<Tone>('')
  /** Whose doing it tells of, if it is one player's. */
  seat = $state<number | null>(null)
  #seatNews = { text: '', until: 0 }

  /** To be made by a component: for as long as that is there, the voice tells who comes and who goes. */
  constructor(readonly connection: Connection) {
    let before = connection.table?.seats ?? []
    $effect(() => {
      const seats = connection.table?.seats ?? []
      untrack(() => this.#tellSeats(seatNews(before, seats, connection.you?.id, connection.takenOver)))
      before = seats
    })
  }

  say(text: string, tone: Tone = '', seat: number | null = null): void {
    this.#show(text, tone, seat)
    announce(text)
  }

  clear(): void {
    this.#show('')
  }

  /** What became of a command; whether it was carried out. */
  explain(answer: Answer): boolean {
    if (answer) this.say(refusalText(answer, this.connection.names), 'bad')
    return answer === null
  }

  /** What has happened in the game. */
  tell(event: GameEvent): void {
    const { game, names, bots, takenOver, rules } = this.connection
    if (isOfBot(event, Infinity, takenOver, bots)) return
    const news = game && (rules?.eventNews(event, { ...game, names }) ?? null)
    // The game often goes on in the same moment, because of it.
    if (isPresence(event)) this.#tellSeats(news?.text ?? '')
    else this.bring(news)
  }

  /** How the game stands: the points, and what `more` there is to know. */
  tellStanding(more: string[] = []): void {
    const { game, names } = this.connection
    if (game) announce([...more, standingText({ ...game, names })].filter(Boolean).join(' '))
  }

  /** Somebody comes to the table and is told what lies there. */
  welcome(...lying: string[]): void {
    this.tellStanding(lying)
    if (settings.shortcuts && !knowsHelp) announce(m.help_is_there(), 'usual')
    knowsHelp = true
  }

  /** News of the game. */
  bring(news: News | null): void {
    if (!news) return
    if (news.sound) playSound(news.sound)
    const seats = performance.now() < this.#seatNews.until ? this.#seatNews.text : ''
    this.#show([seats, news.text].filter(Boolean).join(' '), news.tone, news.seat)
    const said = [news.said ?? news.text, news.spoken, isWanted('usual') ? news.besides : '']
    announce(said.flatMap((text) => (text ? asSentence(text) : [])).join(' '), news.aside ? 'usual' : 'short')
    announce(news.details ?? '', 'full')
  }

  #tellSeats(text: string): void {
    if (!text) return
    this.#seatNews = { text, until: performance.now() + SEAT_NEWS_MS }
    this.say(text)
  }

  #show(text: string, tone: Tone = '', seat: number | null = null): void {
    this.text = text
    this.tone = text ? tone : ''
    this.seat = text ? seat : null
  }
}
