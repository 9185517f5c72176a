import './theme/base.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { keepFocus } from './focus'
import { speak } from './language.svelte'
import { applySettings } from './settings.svelte'

applySettings()
keepFocus()
await speak()
mount(App, { target: document.getElementById('app')! })
