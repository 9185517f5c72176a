/** Work is shared out among frames, so that none keeps the page waiting for long on a slow device. */

import { tick } from 'svelte'

/** A page that nobody looks at has no frames. */
const FRAME_AT_LATEST = 250

const frame = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve)
    setTimeout(resolve, FRAME_AT_LATEST)
  })

/** The page has its new content, just before it is laid out and shown: what is measured then costs no second layout. */
export async function drawn(): Promise<void> {
  await tick()
  await frame()
}

/** A task of its own, after what is under way. It is a message, which unlike a timer is never put off. */
const turns: (() => void)[] = []
let channel: MessageChannel | undefined

export function nextTask(): Promise<void> {
  if (!channel) {
    channel = new MessageChannel()
    channel.port1.onmessage = () => turns.shift()?.()
  }
  const { port2 } = channel
  return new Promise((resolve) => {
    turns.push(resolve)
    port2.postMessage(null)
  })
}

/** The page is shown as it is now: what is done next belongs to the frame after it. At once where nobody is looking. */
export async function shown(): Promise<void> {
  if (document.hidden) return
  await drawn()
  await nextTask()
}
