/** Short sounds made on the spot: wood on cloth, nothing to download. Silent unless the volume is up. */

import { settings } from './settings.svelte'

export type Sound = 'call' | 'took' | 'missed' | 'dealt' | 'turn'

/** Frequencies in Hz, one after another. */
const NOTES: Record<Sound, readonly number[]> = {
  call: [523],
  took: [523, 659, 784],
  missed: [220, 185],
  dealt: [330],
  turn: [587, 784],
}

const NOTE_SECONDS = 0.09
let context: AudioContext | null = null

export function playSound(sound: Sound): void {
  if (settings.volume === 0 || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  NOTES[sound].forEach((frequency, place) => ring(context!, frequency, context!.currentTime + place * NOTE_SECONDS))
}

function ring(context: AudioContext, frequency: number, at: number): void {
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.type = 'triangle'
  tone.frequency.value = frequency
  loudness.gain.setValueAtTime(settings.volume / 40, at)
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_SECONDS * 2)
  tone.connect(loudness).connect(context.destination)
  tone.start(at)
  tone.stop(at + NOTE_SECONDS * 2)
}
