import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL_GAMES } from '../src/games'

/** What is written by a program names every game. */
const GENERATED = /^(protocol\.ts|catalogue\/)/

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|svelte)$/.test(path))
const shell = sources.filter((path) => !path.startsWith('games/') && !GENERATED.test(path))
const text = (path: string) => readFileSync(join('src', path), 'utf8')
const names = ALL_GAMES.map(({ name }) => name)
/** Puzzles are asked with the board and the dice of another game, as in Python. */
const ASKS_WITH: Record<string, string[]> = { puzzles: ['cubed'] }

test('every folder of a game is listed, and nothing else is', () => {
  const folders = readdirSync('src/games', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...names].sort())
})

describe('nothing outside a game knows it', () => {
  test.each(names)('%s is named nowhere', (name) => {
    const literal = new RegExp(`['"\`/|]${name}['"\`/|)]`)
    expect(shell.filter((path) => literal.test(text(path)))).toEqual([])
  })

  test('no folder of a game is imported, not even by another game', () => {
    const imported = (path: string) => [...text(path).matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, target]) => target!)
    for (const path of shell) expect(imported(path).filter((target) => /games\/\w+\//.test(target))).toEqual([])
    for (const name of names) {
      const own = sources.filter((path) => path.startsWith(`games/${name}/`))
      const others = names.filter((other) => other !== name && !ASKS_WITH[name]?.includes(other))
      for (const path of own)
        expect(imported(path).filter((target) => others.some((other) => target.startsWith(`../${other}/`)))).toEqual([])
    }
  })

  test('no part of the protocol that is a game\'s own is used', () => {
    const own = /\b(Card|Cubed|Scramble|Puzzle)(State|Event|Entry|Options|Command)\b/
    expect(shell.filter((path) => own.test(text(path)))).toEqual([])
  })
})
