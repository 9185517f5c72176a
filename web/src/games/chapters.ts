/** Examples for the chapters of the rules. */

import { m } from '../language.svelte'
import { whyNotThree } from '../words'

interface Example {
  signs: string[]
  text: string
}

export const example = (...signs: string[]): Example => ({ signs, text: m.it_is_a_set() })
export const counterexample = (...signs: string[]): Example => ({ signs, text: m.not_a_set({ why: whyNotThree(signs) }) })
