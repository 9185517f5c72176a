/** The voice of the table: one sentence at a time, to be seen in its message and heard from a screen reader. */

import { untrack } from 'svelte'
import { announce } from '../announce.svelte'
import type { CardEvent, CubedEvent } from '../protocol'
import { playSound } from '../sound'
import { refusalText } from '../words'
import type { Answer, Connection } from './connection.svelte'
import { eventNews, seatNews, type News, type Tone } from './news'

export class Voice {
  text = $state('')
  tone = $state<Tone>('')

  /** To be made by a component: for as long as that is there, the voice tells who comes and who goes. */
  constructor(readonly connection: Connection) {
    let before = connection.table?.seats ?? []
    $effect(() => {
      const seats = connection.table?.seats ?? []
      untrack(() => this.#report(seatNews(before, seats, connection.you?.id)))
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
  tell(event: CardEvent | CubedEvent): void {
    const { game, names } = this.connection
    if (game) this.#report(eventNews(event, game, names))
  }

  #report(news: News | null): void {
    if (!news) return
    if (news.sound) playSound(news.sound)
    if (news.text) this.say(news.text, news.tone)
    else this.clear()
  }
}
