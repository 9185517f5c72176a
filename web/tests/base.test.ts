import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { below, isOurs, to } from '../src/base'

test('at the root nothing changes', () => {
  expect(to('/t/ABCDEF?start')).toBe('/t/ABCDEF?start')
  expect(below('/games/x')).toBe('/games/x')
  expect(isOurs(new URL('/learn', location.href))).toBe(true)
  expect(isOurs(new URL('https://elsewhere.example/learn'))).toBe(false)
})

/** An address that is written out where a browser reads it would lead past the path below which the site may be. */
const WRITTEN_OUT = /(?:href|src|action)=(?:"\/|\{?['`]\/)|(?:fetch|register|new URL|location\.assign)\(\s*['`]\/|location\.origin\}?\s*\+?\s*['`]?\//

test('no address is written out', () => {
  const files = globSync('src/**/*.{ts,svelte}').filter((name) => !name.includes('catalogue'))
  expect(files.length).toBeGreaterThan(100)
  for (const file of files)
    for (const [number, line] of readFileSync(file, 'utf8').split('\n').entries())
      expect(WRITTEN_OUT.test(line), `${file}:${number + 1}: ${line.trim()}: use to() of base.ts`).toBe(false)
})
