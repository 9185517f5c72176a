/** The one idea both games share: what a SET is. The same definitions as `tercet.sets`, held equal by vectors. */

export type FeatureName = 'number' | 'colour' | 'fill' | 'shape'

export interface Feature {
  readonly name: FeatureName
  readonly values: readonly [string, string, string]
  readonly letters: string
}

const NUMBER: Feature = { name: 'number', values: ['1', '2', '3'], letters: '123' }
const COLOUR: Feature = { name: 'colour', values: ['red', 'green', 'purple'], letters: 'RGP' }
const FILL: Feature = { name: 'fill', values: ['full', 'hatched', 'empty'], letters: 'FHE' }
const SHAPE: Feature = { name: 'shape', values: ['diamond', 'oval', 'squiggle'], letters: 'DOS' }

export const CARD_FEATURES: readonly Feature[] = [NUMBER, COLOUR, FILL, SHAPE]
export const FACE_FEATURES: readonly Feature[] = [NUMBER, COLOUR, SHAPE]

/** What a die shows when it stands for any face. */
export const WILD = 'W'

/** A card (`2GHS`) or a face (`2GS`, `W`), by its text. */
export type Sign = string

export const featuresOf = (sign: Sign): readonly Feature[] => (sign.length === 4 ? CARD_FEATURES : FACE_FEATURES)

const digitsOf = (sign: Sign): number[] => featuresOf(sign).map(({ letters }, place) => letters.indexOf(sign[place]!))

/** The value of each feature by its name: `{ number: '2', colour: 'green', … }`. */
export function valuesOf(sign: Sign): Record<FeatureName, string> {
  const features = featuresOf(sign)
  const digits = digitsOf(sign)
  return Object.fromEntries(features.map(({ name, values }, place) => [name, values[digits[place]!]])) as Record<
    FeatureName,
    string
  >
}

export function allOf(features: readonly Feature[]): Sign[] {
  return features.reduce<Sign[]>((texts, { letters }) => texts.flatMap((text) => [...letters].map((l) => text + l)), [''])
}

export const ALL_CARDS: readonly Sign[] = allOf(CARD_FEATURES)
export const ALL_FACES: readonly Sign[] = allOf(FACE_FEATURES)

/** The only one that completes a SET with these two. */
export function third(a: Sign, b: Sign): Sign {
  const other = digitsOf(b)
  const features = featuresOf(a)
  return digitsOf(a)
    .map((digit, place) => features[place]!.letters[(6 - digit - other[place]!) % 3])
    .join('')
}

/** Whether these three are a SET, in whatever order. A wild stands for whatever is needed. */
export function isSet(a: Sign, b: Sign, c: Sign): boolean {
  if (a === WILD || b === WILD || c === WILD) return true
  for (let place = 0; place < a.length; place++) {
    const twoAlike = a[place] === b[place]
    if (twoAlike !== (a[place] === c[place]) || twoAlike !== (b[place] === c[place])) return false
  }
  return true
}

/** Every SET among these, each once, as places. */
export function findSets(signs: readonly Sign[]): [number, number, number][] {
  const found: [number, number, number][] = []
  for (let i = 0; i < signs.length; i++)
    for (let j = i + 1; j < signs.length; j++)
      for (let k = j + 1; k < signs.length; k++)
        if (isSet(signs[i]!, signs[j]!, signs[k]!)) found.push([i, j, k])
  return found
}

export type Verdict = 'same' | 'different' | 'two_alike' | 'free'

/** One yes-or-no question of the check. `two_alike` breaks the SET: two share `pair`, the one at `oddOne` has `odd`. */
export interface FeatureCheck {
  feature: FeatureName
  verdict: Verdict
  values: string[]
  pair?: string
  odd?: string
  oddOne?: number
}

export interface Explanation {
  isSet: boolean
  features: FeatureCheck[]
}

/** The leaflet's quick check as data: one question a feature. */
export function explain(a: Sign, b: Sign, c: Sign): Explanation {
  const three = [a, b, c]
  if (three.includes(WILD)) {
    const shown = three.filter((sign) => sign !== WILD).map(valuesOf)
    return {
      isSet: true,
      features: FACE_FEATURES.map(({ name }) => ({
        feature: name,
        verdict: 'free',
        values: shown.map((values) => values[name]),
      })),
    }
  }
  const values = three.map(valuesOf)
  const features = featuresOf(a).map(({ name }) => check(name, values.map((of) => of[name])))
  return { isSet: features.every(({ verdict }) => verdict !== 'two_alike'), features }
}

function check(feature: FeatureName, values: string[]): FeatureCheck {
  const kinds = new Set(values).size
  if (kinds !== 2) return { feature, verdict: kinds === 1 ? 'same' : 'different', values }
  const oddOne = values.findIndex((value) => values.filter((other) => other === value).length === 1)
  return { feature, verdict: 'two_alike', values, pair: values[(oddOne + 1) % 3]!, odd: values[oddOne]!, oddOne }
}
