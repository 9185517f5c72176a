/** The games that this site plays, in the order in which they are shown. */

import { speakOf } from '../language.svelte'
import { cubed } from './cubed/listing'
import type { GameModule, Listing, Playable } from './module'
import { puzzles } from './puzzles/listing'
import { scramble } from './scramble/listing'
import { set } from './set/listing'

export const GAMES: readonly Listing[] = [set, cubed, scramble]

/** Those in the lists, and those that are played from pages of their own. */
export const ALL_GAMES: readonly Playable[] = [...GAMES, puzzles]

export const listingOf = (name: string): Listing | undefined => GAMES.find((game) => game.name === name)

export function titleOf(name: string): string {
  const title = ALL_GAMES.find((game) => game.name === name)?.title ?? name
  return typeof title === 'string' ? title : title()
}

/** With the name of what is played of it, if that has one: "Set · Chain". */
export const fullTitleOf = (name: string, options: object, rules: GameModule | null): string =>
  [titleOf(name), rules?.variety?.(options)].filter(Boolean).join(' · ')

/** A part of a game with the words that it speaks. */
export const withWords = async <T>(words: string, part: Promise<T>): Promise<T> =>
  (await Promise.all([part, speakOf(words)]))[0]

const loaded = new Map<string, Promise<GameModule>>()

/** A game, fetched when it is asked for the first time; what could not be fetched is tried again. */
export function loadGame(name: string): Promise<GameModule> {
  const listing = ALL_GAMES.find((game) => game.name === name)
  if (!listing) return Promise.reject(new Error(`no game is called ${name}`))
  const known = loaded.get(name)
  if (known) return known
  const game = withWords(name, listing.load()).then((module) => module.default)
  loaded.set(name, game)
  game.catch(() => loaded.delete(name))
  return game
}
