/** The table server over HTTP. */

import type { CheckedEdition, Failure, GameInfo, GameSummary, Me, NewTable, Statistics, TableCreated, TableSummary } from './protocol'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code)
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/api${path}`, {
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

export const whoAmI = async (): Promise<Me | null> => {
  try {
    return await ask<Me>('GET', '/session')
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

export const sitDownAs = (name: string): Promise<Me> => ask('POST', '/session', { name })
export const makeTable = (table: NewTable): Promise<TableCreated> => ask('POST', '/tables', table)
export const checkEdition = (text: string): Promise<CheckedEdition> => ask('POST', '/editions', { text })
export const findTable = (code: string): Promise<TableSummary> => ask('GET', `/tables/${encodeURIComponent(code)}`)
export const openTables = (): Promise<TableSummary[]> => ask('GET', '/tables')
export const myGames = (): Promise<GameSummary[]> => ask('GET', '/me/games')
export const myStatistics = (): Promise<Statistics[]> => ask('GET', '/me/statistics')
export const gamesOffered = (): Promise<GameInfo[]> => ask('GET', '/games')

export const recordAddress = (game: string, form: 'text' | 'json' = 'text'): string =>
  `/api/games/${encodeURIComponent(game)}/record${form === 'json' ? '?form=json' : ''}`

export async function recordOf(game: string): Promise<string> {
  const response = await fetch(recordAddress(game, 'json')).catch(() => {
    throw new ApiError(0, 'offline')
  })
  if (!response.ok) throw new ApiError(response.status, response.status === 404 ? 'no_such_game' : 'server')
  return response.text()
}
