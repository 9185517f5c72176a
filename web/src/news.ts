/** What happens to the person of this browser, as the server tells it: challenges, and what becomes of them. */

import { to } from './base'
import type { Challenge, PersonalMessage } from './protocol'

const AGAIN_MS = 2000

/** Hear of every challenge, first of those that are open; what it gives back ends it. */
export function hearChallenges(hear: (challenge: Challenge) => void): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false

  function listen() {
    socket = new WebSocket(location.origin.replace(/^http/, 'ws') + to('/api/events/socket'))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as PersonalMessage
      if (message.type === 'hello') message.challenges.forEach(hear)
      else if (message.type === 'challenge_news') hear(message.challenge)
      else if (message.type === 'ping') socket?.send(JSON.stringify({ type: 'pong', number: message.number }))
    }
    socket.onclose = () => {
      if (!over) timer = setTimeout(listen, AGAIN_MS)
    }
  }

  listen()
  return () => {
    over = true
    clearTimeout(timer)
    socket?.close()
  }
}
