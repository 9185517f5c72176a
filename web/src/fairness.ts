/** Chance from a seed and the players' entropy, computed again with WebCrypto: the mirror of `tercet.fairness`. */

const RANGE = 2n ** 64n
const text = new TextEncoder()

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error('not hexadecimal')
  return Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16))
}

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** What the table published before play: the SHA-256 hash of the seed's bytes. */
export const commit = async (seed: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', bytesOf(seed)))

const hmacKey = (bytes: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

const sign = (key: CryptoKey, message: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign('HMAC', key, text.encode(message))

export class Seeded {
  private constructor(private readonly key: CryptoKey) {}

  static async from(seed: string, entropy: readonly string[]): Promise<Seeded> {
    const lines = ['tercet 1', ...entropy.map((added) => `${text.encode(added).length}:${added}`)]
    return new Seeded(await hmacKey(await sign(await hmacKey(bytesOf(seed)), lines.join('\n'))))
  }

  /** A number from 0 to `count - 1`; the same label gives the same one. */
  async below(count: number, label: string): Promise<number> {
    const whole = RANGE - (RANGE % BigInt(count))
    for (let attempt = 0; ; attempt++) {
      const number = new DataView(await sign(this.key, `${label}/${attempt}`)).getBigUint64(0)
      if (number < whole) return Number(number % BigInt(count))
    }
  }
}
