/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { catalogues, LANGUAGES } from './catalogues.ts'

/** The language of which a file has messages, if it has any. */
const languageOf = (name: string) => Object.keys(LANGUAGES).find((code) => name.includes(`/${code}-`))

/** Emits the service worker with the files that lessons and drills need, and with those of each language. */
function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    // Last: until then the bundle holds scripts that are left out because they only bring a style sheet.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const all = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name)).sort()
        const of = (code?: string) => all.filter((name) => languageOf(name) === code).map((name) => `./${name}`)
        const files = of()
        const words = Object.fromEntries(Object.keys(LANGUAGES).map((code) => [code, of(code)]))
        const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 10)
        const source = readFileSync('offline.js', 'utf8')
          .replace('...__FILES__', files.map((name) => `'${name}'`).join(', '))
          .replace('__WORDS__', JSON.stringify(words))
          .replace('__VERSION__', version)
        this.emitFile({ type: 'asset', fileName: 'offline.js', source })
      },
    },
  }
}

export default defineConfig({
  base: './', // wherever the server is: it puts the path into the page
  plugins: [
    catalogues(),
    svelte(),
    offline(),
  ],
  build: {
    outDir: '../src/tercet/server/site',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false, // a second and a half, for numbers that nobody reads
    rollupOptions: {
      output: {
        // What every page has is one file; what some pages share, a few: a phone asks for many small ones in turns, and they compress badly.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'every', tags: ['$initial'], priority: 1 },
            { name: 'people', test: /src\/(sound|parts\/BotMark|drawing\/Trio|table\/(initials|sitters|keys))\./ },
            { name: 'runs', test: /src\/(runs\/(kinds|requests)|catalogue\/runs\/languages)\./ },
            { name: 'table', test: /src\/(table\/(Seats|fly|frames|news|reacting|doubleclick|seatviews|takings|waiting|wide|voice)|absence|promises)\./ },
            { name: 'sitting', test: /src\/(table\/(Clock|LogList|TableTop|Watching|seating|racewords)|games\/module)\./ },
            { name: 'race', test: /src\/(table\/(Takings|race|marks)|games\/race)\./ },
            { name: 'cards', test: /games\/set\/(index|Table|LastSet|rules|spoken|variants|words)\./ },
            { name: 'dice', test: /games\/cubed\/(Board|Hand|Holding|Faces|WildFaces|fits|lying|marks|rules|scenes|stage|turns?|words|spoken|keys)\./ },
            { name: 'editions', test: /src\/editions\// },
          ],
        },
      },
    },
  },
  // Tests mount what a browser would.
  ...(process.env.VITEST ? { resolve: { conditions: ['browser'] } } : {}),
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  // One world for all files: half the time. What a test leaves behind in it, it takes away itself.
  test: { environment: 'happy-dom', include: ['tests/*.test.ts'], testTimeout: 60_000, isolate: false },
})
