import './theme/base.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { to } from './base'
import { keepFocus } from './focus'
import { speak, speakOfAll } from './language.svelte'
import { applySettings } from './settings.svelte'

applySettings()
keepFocus()
await speak()
mount(App, { target: document.getElementById('app')! })
if (import.meta.env.PROD && 'serviceWorker' in navigator) void keepForOffline()

/** Lets the service worker keep what this page needs, the messages of its language included. */
async function keepForOffline(): Promise<void> {
  await navigator.serviceWorker.register(to('/offline.js'))
  const { active } = await navigator.serviceWorker.ready
  await speakOfAll()
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  active?.postMessage(loaded.filter((path) => path.startsWith(to('/assets/'))))
}
