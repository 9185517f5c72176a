/** Runs, boards and days over HTTP. */

import { ask } from '../api'
import { someone } from '../person.svelte'
import type { Board, Calendar, Daily, MyRuns, NewRun, RunCreated, RunName } from '../protocol'

export type Period = Board['period']
export type Among = Board['among']

/** The address of the table where it is played; of one that waits its start, whatever was played at it before. */
export async function beginRun(run: NewRun): Promise<string> {
  await someone()
  const { code, resumed } = await ask<RunCreated>('POST', '/runs', run)
  return `/t/${code}${resumed ? '' : '?new'}`
}

export const myRuns = (kind: RunName, limit = 50): Promise<MyRuns> => ask('GET', `/me/runs?kind=${kind}&limit=${limit}`)

export function boardOf(kind: RunName, period: Period, among: Among, { after = '', around = false } = {}): Promise<Board> {
  const more = `${after ? `&after=${encodeURIComponent(after)}` : ''}${around ? '&around=true' : ''}`
  return ask('GET', `/boards/${kind}?period=${period}&among=${among}${more}`)
}

export const dailyOf = (kind: RunName, day = 'today'): Promise<Daily> => ask('GET', `/daily/${kind}/${day}`)
export const calendarOf = (kind: RunName, month = ''): Promise<Calendar> => ask('GET', `/daily/${kind}${month && `?month=${month}`}`)
