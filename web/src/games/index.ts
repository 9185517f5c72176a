/** The games that this site plays, in the order in which they are shown. */

import { speakOf } from '../language.svelte'
import { cubed } from './cubed/listing'
import type { GameModule, Listing } from './module'
import { scramble } from './scramble/listing'
import { set } from './set/listing'

export const GAMES: readonly Listing[] = [set, cubed, scramble]

export const listingOf = (name: string): Listing | undefined => GAMES.find((game) => game.name === name)

export const titleOf = (name: string): string => listingOf(name)?.title ?? name

/** A part of a game with the words that it speaks. */
export const withWords = async <T>(words: string, part: Promise<T>): Promise<T> =>
  (await Promise.all([part, speakOf(words)]))[0]

const loaded = new Map<string, Promise<GameModule>>()

/** A game, fetched when it is asked for the first time; what could not be fetched is tried again. */
export function loadGame(name: string): Promise<GameModule> {
  const listing = listingOf(name)
  if (!listing) return Promise.reject(new Error(`no game is called ${name}`))
  const known = loaded.get(name)
  if (known) return known
  const game = withWords(name, listing.load()).then((module) => module.default)
  loaded.set(name, game)
  game.catch(() => loaded.delete(name))
  return game
}
