/** What a table needs besides when a run is played at it; it comes only then. */

export { default as RunBar } from './RunBar.svelte'
export { default as RunLobby } from './RunLobby.svelte'
export { Runs } from './runs.svelte'
export { titleOfRun } from './kinds'
