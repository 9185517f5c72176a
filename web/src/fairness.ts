/** Commitments and chance, computed again: the mirror of `tercet.fairness`. With a SHA-256 of its own, because a
 * browser has none for a page that came over plain http. */

const RANGE = 2n ** 64n
const text = new TextEncoder()

/** The first bits of the fractions of square and cube roots of the first primes. */
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && ![2, 3, 5, 7, 11, 13, 17].some((d) => n > d && n % d === 0))
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const ROUNDS = Int32Array.from(PRIMES.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))
const BEGIN = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, message.length * 8)
  const hash = BEGIN.slice()
  const words = new Int32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let place = 0; place < 16; place++) words[place] = view.getInt32(block + 4 * place)
    for (let place = 16; place < 64; place++) {
      const [early, late] = [words[place - 15]!, words[place - 2]!]
      const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
      const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[place] = words[place - 16]! + s0 + words[place - 7]! + s1
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
    for (let place = 0; place < 64; place++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[place]! + words[place]!) | 0
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
    }
    for (const [place, word] of [a, b, c, d, e, f, g, h].entries()) hash[place]! += word
  }
  const bytes = new DataView(new ArrayBuffer(32))
  hash.forEach((word, place) => bytes.setInt32(4 * place, word))
  return new Uint8Array(bytes.buffer)
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error('not hexadecimal')
  return Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16))
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let place = 0
  for (const part of parts) {
    all.set(part, place)
    place += part.length
  }
  return all
}

/** Keys are at most 64 bytes here. */
function hmac(key: Uint8Array, message: string): Uint8Array<ArrayBuffer> {
  const padded = (with_: number) => Uint8Array.from({ length: 64 }, (_, place) => (key[place] ?? 0) ^ with_)
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), text.encode(message)))))
}

/** JSON that is written in one way only: keys sorted, no spaces. */
export const canonical = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

/** What a commitment is bound to; `options` are canonical JSON. */
export interface Terms {
  game: string
  options: string
  table: string
  number: number
}

const commitTo = (kind: string, hidden: string, { table, number, game, options }: Terms): string =>
  hexOf(sha256(text.encode([kind, table, number, game, options, hidden].join('\n'))))

/** What the table published before anybody's part was known. */
export const commit = (seed: string, terms: Terms): string => commitTo('tercet seed', seed, terms)

/** What a client publishes before it shows its secret. */
export const commitSecret = (secret: string, terms: Terms): string => commitTo('tercet secret', secret, terms)

export const newSecret = (): string => hexOf(crypto.getRandomValues(new Uint8Array(32)))

/** Chance from a seed and the seats' secrets, empty for bots. */
export class Seeded {
  readonly #key: Uint8Array

  constructor(seed: string, secrets: readonly string[]) {
    const lines = ['tercet 1', ...secrets.map((secret) => `${text.encode(secret).length}:${secret}`)]
    this.#key = hmac(bytesOf(seed), lines.join('\n'))
  }

  /** A number from 0 to `count - 1`; the same label gives the same one. */
  below(count: number, label: string): number {
    const whole = RANGE - (RANGE % BigInt(count))
    for (let attempt = 0; ; attempt++) {
      const number = new DataView(hmac(this.#key, `${label}/${attempt}`).buffer).getBigUint64(0)
      if (number < whole) return Number(number % BigInt(count))
    }
  }
}
