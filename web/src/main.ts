import './theme/base.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { speak } from './language.svelte'
import { applySettings } from './settings.svelte'

applySettings()
await speak()
mount(App, { target: document.getElementById('app')! })
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('/offline.js')
