/** Signs, names and refusals in the player's language. */

import { ALL_CARDS, explain, featuresOf, valuesOf, WILD, type Explanation, type FeatureName, type Sign } from './sets'
import { language, m, messageNamed } from './language.svelte'
import type { GameSummary, Refused, Result } from './protocol'

export const featureName = (feature: FeatureName): string =>
  ({ number: m.number, colour: m.colour, fill: m.fill, shape: m.shape })[feature]({})

/** A value by itself: "red", "hatched". Numbers stay digits. */
export const valueName = (value: string): string => messageNamed(`value_${value}`)?.({}) ?? value

/** The letters of colours, fills and shapes in this language, in the order of their features. */
const ownLetters = (): Record<string, string> => {
  const [colour, fill, shape] = m.sign_letters().split(' ')
  return { number: '123', colour: colour!, fill: fill!, shape: shape! }
}

/** A card or a face in a few letters of the language in use: "2GHS". */
export const signText = (sign: Sign): string =>
  featuresOf(sign)
    .map(({ name, letters }, place) => ownLetters()[name]![letters.indexOf(sign[place]!)])
    .join('')

/** A card from what somebody typed, in the letters of the language in use or in those of the notation; null if it names none. */
export function readCard(text: string): Sign | null {
  const typed = [...text.trim().toUpperCase()]
  const own = ALL_CARDS.find((card) => signText(card) === typed.join(''))
  return own ?? (ALL_CARDS.includes(typed.join('')) ? typed.join('') : null)
}

/** A card or a face for those who do not see it: "2, green, hatched, squiggle". */
export function describe(sign: Sign): string {
  if (sign === WILD) return m.wild()
  return Object.values(valuesOf(sign)).map(valueName).join(', ')
}

/** After words that signs follow: what is read one after the other is kept apart. */
export const colonAfter = (text: string): string => (/[\p{L}\p{N}]$/u.test(text) ? ':' : '')

export const describeLying = (face: Sign, wild: boolean): string =>
  wild ? m.wild_standing_for({ face: describe(face) }) : describe(face)

/** "two ovals, one squiggle; two red, one purple". */
export function whyNot(why: Explanation): string {
  return why.features
    .filter(({ verdict }) => verdict === 'two_alike')
    .map(({ pair, odd }) =>
      m.two_and_one({
        two: messageNamed(`two_${pair}`)?.({}) ?? '',
        one: messageNamed(`one_${odd}`)?.({}) ?? '',
      }),
    )
    .join('; ')
}

export const whyNotThree = (signs: readonly Sign[]): string => whyNot(explain(signs[0]!, signs[1]!, signs[2]!))

/** A time limit in the unit that fits it. */
export function duration(seconds: number): string {
  if (seconds >= 86400) return m.days({ count: Math.round(seconds / 86400) })
  if (seconds >= 60) return m.minutes({ count: Math.round(seconds / 60) })
  return m.seconds({ count: seconds })
}

/** Why the table refused, in words. */
export function refusalText(refusal: Refused['refusal'], names: readonly string[]): string {
  const { code } = refusal
  const seat = refusal['seat'] ?? refusal['turn'] ?? refusal['dealer']
  const name = typeof seat === 'number' ? isolated(names[seat] ?? '') : ''
  const earlier = refusal['earlier_ms']
  if (typeof earlier === 'number' && name) return m.refused_earlier({ name, ms: Math.max(1, Math.round(earlier)) })
  if (code === 'still_here' && refusal['seconds']) return m.refused_just_left({ name, seconds: Number(refusal['seconds']) })
  const details = { ...refusal, name }
  return messageNamed(`refused_${code}`)?.(details) ?? m.refused({ code })
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/

/** A name that runs the other way than the page is kept apart from the words and numbers around it. */
export const isolated = (name: string): string =>
  RIGHT_TO_LEFT.test(name) === (document.documentElement.dir === 'rtl') ? name : `\u2068${name}\u2069`

/** Addresses and settings read from the left in every language. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`

/** Namesakes are told apart as kings are: "Greedy 2 wins" would be two wins. */
const KINGS: Partial<Record<string, readonly string[]>> = { he: ['א׳', 'ב׳', 'ג׳', 'ד׳', 'ה׳', 'ו׳', 'ז׳', 'ח׳'] }
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII']

/** Bots are named after their strength, which has a word in every language; whoever has a name keeps it. */
export function seatName(name: string, bot: string | null | undefined): string {
  const [, plain, number] = /^(.+?)(?: (\d+))?$/.exec(name) ?? []
  // How a bot plays stands after its name: "beginner:gentle".
  const level = bot?.split(':')[0]
  const strength = level && plain?.toLowerCase() === level ? messageNamed(`bot_${level}`)?.({}) : undefined
  if (strength === undefined) return name
  return number ? `${strength}\u00a0${(KINGS[language()] ?? ROMAN)[Number(number) - 1] ?? number}` : strength
}

/** Whether a bot plays on in one's own place. */
export const playsForYou = ({ players, end_time, broken_off }: GameSummary): boolean =>
  end_time === null && !broken_off && players.some(({ you, bot }) => you && bot)

/** The names of those who played, seat by seat. */
export const resultNames = ({ names, bots }: Result): string[] => names.map((name, seat) => seatName(name, bots[seat]))

/** What is read one after the other needs its full stops. */
export const asSentence = (text: string): string => text.replace(/[\p{L}\p{N}%]$/u, '$&.')
