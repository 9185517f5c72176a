/** What a table needs besides when a run is played at it; it comes only then. */

export { default as GiveUp } from './GiveUp.svelte'
export { default as RunBar } from './RunBar.svelte'
export { default as RunLobby } from './RunLobby.svelte'
export { Runs } from './runs.svelte'
export { aboutRun, titleOfRun } from './kinds'
