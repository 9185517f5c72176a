/** Short sounds made on the spot: wood, cards and cloth, nothing to download. Silent unless the volume is up. */

import { settings } from './settings.svelte'

export type Sound = 'call' | 'took' | 'missed' | 'dealt' | 'turn' | 'said'

/** A bar of wood that is struck: its pitch in Hz, when, and how loud. */
interface Bar {
  pitch: number
  after: number
  loud?: number
}

const NOTES: Record<Exclude<Sound, 'dealt'>, readonly Bar[]> = {
  call: [{ pitch: 392, after: 0 }, { pitch: 392, after: 0.07, loud: 0.6 }],
  took: [{ pitch: 523, after: 0 }, { pitch: 659, after: 0.075 }, { pitch: 784, after: 0.15 }],
  missed: [{ pitch: 220, after: 0 }, { pitch: 185, after: 0.12, loud: 0.8 }],
  turn: [{ pitch: 587, after: 0 }, { pitch: 880, after: 0.11 }],
  said: [{ pitch: 698, after: 0, loud: 0.4 }],
}
/** Cards that slide from the deck, one after the other. */
const SLIDES = [0, 0.06, 0.12]

let context: AudioContext | null = null
let hiss: AudioBuffer | null = null

export function playSound(sound: Sound): void {
  if (settings.volume === 0 || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  // A page that nobody has touched yet may not be heard; as soon as it may, it is.
  void context.resume()
  if (sound === 'dealt') SLIDES.forEach((after) => slide(context!, after))
  else NOTES[sound].forEach((bar) => strike(context!, bar))
}

/** Loud at once, and gone after so many seconds. */
function fading(context: AudioContext, loud: number, at: number, seconds: number): GainNode {
  const gain = context.createGain()
  gain.gain.setValueAtTime(0, at)
  gain.gain.linearRampToValueAtTime((loud * settings.volume) / 25, at + 0.004)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds)
  gain.connect(context.destination)
  return gain
}

/** Two partials, as those of a marimba: the upper one is gone at once, and is what the ear takes for wood. */
function strike(context: AudioContext, { pitch, after, loud = 1 }: Bar): void {
  const at = context.currentTime + after
  for (const [times, share, seconds] of [[1, 1, 0.42], [3.93, 0.35, 0.09]] as const) {
    const tone = context.createOscillator()
    tone.frequency.value = pitch * times
    tone.connect(fading(context, loud * share, at, seconds))
    tone.start(at)
    tone.stop(at + seconds)
  }
}

function slide(context: AudioContext, after: number): void {
  const at = context.currentTime + after
  if (!hiss) {
    hiss = context.createBuffer(1, context.sampleRate / 8, context.sampleRate)
    hiss.getChannelData(0).forEach((_, place, data) => (data[place] = Math.random() * 2 - 1))
  }
  const noise = context.createBufferSource()
  const band = context.createBiquadFilter()
  noise.buffer = hiss
  band.type = 'bandpass'
  band.frequency.setValueAtTime(2600, at)
  band.frequency.exponentialRampToValueAtTime(900, at + 0.09)
  noise.connect(band).connect(fading(context, 0.8, at, 0.1))
  noise.start(at)
}
