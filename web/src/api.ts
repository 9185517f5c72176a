/** The table server over HTTP. */

import { to } from './base'
import type { Challenge, CheckedEdition, Company, Failure, GameInfo, GameSummary, Me, NewChallenge, NewTable, OnlineBot, Statistics, TableCreated, TableSummary } from './protocol'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code)
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(to(`/api${path}`), {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch(() => {
    throw new ApiError(0, 'offline')
  })
  if (!response.ok) {
    const failure = (await response.json().catch(() => ({ code: 'server' }))) as Failure
    throw new ApiError(response.status, failure.code)
  }
  return (response.status === 204 ? undefined : await response.json()) as T
}

export const whoAmI = (): Promise<Me | null> => ask('GET', '/session?or_nobody=true')

export const sitDownAs = (name: string): Promise<Me> => ask('POST', '/session', { name })
export const makeTable = (table: NewTable): Promise<TableCreated> => ask('POST', '/tables', table)
export const checkEdition = (text: string): Promise<CheckedEdition> => ask('POST', '/editions', { text })
export const findTable = (code: string): Promise<TableSummary> => ask('GET', `/tables/${encodeURIComponent(code)}`)
/** Close a table that one hosts. */
export const closeTable = (code: string): Promise<void> => ask('DELETE', `/tables/${encodeURIComponent(code)}`)
/** Give up one's seat at a table; in a running game a bot plays on. */
export const leaveTable = (code: string): Promise<void> => ask('DELETE', `/tables/${encodeURIComponent(code)}/seat`)
export const openTables = (): Promise<TableSummary[]> => ask('GET', '/tables')
/** The bots of others that can be challenged. */
export const onlineBots = (): Promise<OnlineBot[]> => ask('GET', '/bots')
export const challenge = (wanted: NewChallenge): Promise<Challenge> => ask('POST', '/challenges', wanted)
export const answerChallenge = (id: string, answer: 'accept' | 'decline'): Promise<Challenge> =>
  ask('POST', `/challenges/${encodeURIComponent(id)}/${answer}`, answer === 'decline' ? {} : undefined)
export const cancelChallenge = (id: string): Promise<Challenge> => ask('DELETE', `/challenges/${encodeURIComponent(id)}`)
/** How many people are at tables. */
export const company = (): Promise<Company> => ask('GET', '/company')
/** So many games come at a time; fewer are the last. */
export const GAMES_PAGE = 50
/** The latest games, or those before one that is known. */
export const myGames = (before?: string): Promise<GameSummary[]> =>
  ask('GET', `/me/games?limit=${GAMES_PAGE}${before === undefined ? '' : `&before=${encodeURIComponent(before)}`}`)
export const runningGames = (): Promise<GameSummary[]> => ask('GET', '/me/games?running=true&limit=5')
/** Tables that one hosts and that wait for a game. */
export const myTables = (): Promise<TableSummary[]> => ask('GET', '/me/tables')
export const myStatistics = (): Promise<Statistics[]> => ask('GET', '/me/statistics')
export const gamesOffered = (): Promise<GameInfo[]> => ask('GET', '/games')

export const recordAddress = (game: string, form: 'text' | 'json' = 'text'): string =>
  to(`/api/games/${encodeURIComponent(game)}/record${form === 'json' ? '?form=json' : ''}`)

export async function recordOf(game: string): Promise<string> {
  const response = await fetch(recordAddress(game, 'json')).catch(() => {
    throw new ApiError(0, 'offline')
  })
  if (!response.ok) {
    const { code } = (await response.json().catch(() => ({ code: 'server' }))) as Failure
    throw new ApiError(response.status, response.status === 404 ? 'no_such_game' : code)
  }
  return response.text()
}
