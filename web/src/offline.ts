import { to } from './base'
import type { Language } from './settings.svelte'

/** Lets the service worker keep the site, and the messages of this language. */
export async function keepForOffline(language: Language): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register(to('/offline.js'))
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage(language)
}
