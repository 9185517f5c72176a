/** The voice of the table: one sentence at a time, to be seen in its message and heard from a screen reader. */

import { untrack } from 'svelte'
import { announce } from '../announce.svelte'
import type { GameEvent } from '../games/module'
import { playSound } from '../sound'
import { refusalText } from '../words'
import type { Answer, Connection } from './connection.svelte'
import { seatNews, type Tone } from './news'

/** So long the news of a seat goes before what is said next: a bot that takes over may move at once. */
const SEAT_NEWS_MS = 4000

export class Voice {
  text = $state('')
  tone = $state<Tone>('')
  #seatNews = { text: '', until: 0 }

  /** To be made by a component: for as long as that is there, the voice tells who comes and who goes. */
  constructor(readonly connection: Connection) {
    let before = connection.table?.seats ?? []
    $effect(() => {
      const seats = connection.table?.seats ?? []
      untrack(() => this.#tellSeats(seatNews(before, seats, connection.you?.id)))
      before = seats
    })
  }

  say(text: string, tone: Tone = ''): void {
    this.text = text
    this.tone = tone
    announce(text)
  }

  clear(): void {
    this.text = this.tone = ''
  }

  /** What became of a command; whether it was carried out. */
  explain(answer: Answer): boolean {
    if (answer) this.say(refusalText(answer, this.connection.names), 'bad')
    return answer === null
  }

  /** What has happened in the game. */
  tell(event: GameEvent): void {
    const { game, names, rules } = this.connection
    const news = game && rules?.eventNews(event, { ...game, names })
    if (!news || this.connection.isOfBot(event)) return
    if (news.sound) playSound(news.sound)
    const seats = performance.now() < this.#seatNews.until ? this.#seatNews.text : ''
    const text = [seats, news.text].filter(Boolean).join(' ')
    if (text) this.say(text, news.tone)
    else this.clear()
  }

  #tellSeats(text: string): void {
    if (!text) return
    this.#seatNews = { text, until: performance.now() + SEAT_NEWS_MS }
    this.say(text)
  }
}
