/** Makes what people read from its sources: messages/<language>.json, and those of each game in its own folder.
 *
 * All sources of a language are one catalogue; which file has a message does not matter, so a new language may begin as a
 * single file. A message belongs to the game in whose folder the English one lies, and comes to the browser with that game;
 * what a game's `listing.ts` says is on the start page, and comes with the site. The chapters of the rules are long, and a
 * table needs none of them: they come by themselves. So do those that are only said of bots to challenge, of an account, when a game is over, of
 * editions of one's own, in reviews, or in lessons and drills, whichever game's they are. */

import { compile } from '@inlang/paraglide-js'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface Language {
  name: string
  also?: string[]
  direction?: 'rtl'
}
type Catalogue = Record<string, unknown>

const SITE = 'site'
const LEARN = 'learn'
const REVIEW = 'review'
const EDITIONS = 'editions'
const OUT = 'src/paraglide'
/** What only these files say of the site's own messages comes with them. */
const LATE: Record<string, RegExp> = {
  bots: /^pages\/Bots\.svelte$/,
  account: /^(account\/|pages\/Account\.svelte$)/,
  // A review has these words, too.
  after: /^((after|review)\/|pages\/(Replay|Review)\.svelte$|games\/\w+\/((after\.ts|Result\.svelte)$|review\/))/,
}
const LESSONS = /^(pages\/(Learn|Practise)\.svelte$|learn\/|games\/\w+\/(listing\.ts$|Learn\.svelte$|drills\/))/
const REVIEWS = /^(pages\/Review\.svelte$|review\/|games\/\w+\/review\/)/
/** Messages whose names begin so are chapters of the rules. */
const RULES = 'rules_'
/** What a listing says of its drills is on the page of lessons. */
const DRILL = 'drill_'
/** Messages whose names begin so are about editions of one's own. */
const OWN_EDITION = 'own_edition_'
/** Messages whose names begin so are about runs against the clock: they come with those pages. */
const RUNS = 'runs'
const RUN = 'run_'

export const LANGUAGES = JSON.parse(readFileSync('languages.json', 'utf8')) as Record<string, Language>

const games = (): string[] =>
  readdirSync('src/games', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

const folderOf = (part: string): string => (part === SITE ? 'messages' : `src/games/${part}/messages`)

function read(part: string, language: string): Catalogue {
  const file = `${folderOf(part)}/${language}.json`
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Catalogue) : {}
}

/** All messages of a language. A message that two files have is an error. */
export function catalogue(language: string): Catalogue {
  const whole: Catalogue = {}
  for (const part of [SITE, ...games()])
    for (const [key, message] of Object.entries(read(part, language))) {
      if (key in whole) throw new Error(`${folderOf(part)}/${language}.json: another file has ${key} too`)
      whole[key] = message
    }
  return whole
}

/** The messages that these files say, and no others. */
function onlySaidIn(files: RegExp): string[] {
  const [inside, outside] = [new Set<string>(), new Set<string>()]
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' }))
    if (/\.(ts|svelte)$/.test(path) && !path.startsWith('paraglide'))
      for (const [, key] of readFileSync(`src/${path}`, 'utf8').matchAll(/\bm\.(\w+)/g))
        (files.test(path) ? inside : outside).add(key!)
  return [...inside].filter((key) => !outside.has(key)).sort()
}

/** The names of the messages that come with the site, later, and with each game. */
function parts(): Map<string, string[]> {
  const said = games().flatMap((game) => [
    ...readFileSync(`src/games/${game}/listing.ts`, 'utf8').matchAll(/\bm\.(\w+)/g),
  ])
  const listed = new Set(said.map(([, key]) => key!).filter((key) => !key.startsWith(DRILL)))
  const learn = onlySaidIn(LESSONS).filter((key) => !listed.has(key))
  const review = onlySaidIn(REVIEWS)
  const later = new Set([...learn, ...review])
  const split = new Map<string, string[]>()
  for (const game of games()) {
    const keys = Object.keys(read(game, 'en')).filter((key) => !listed.has(key) && !later.has(key))
    split.set(game, keys.filter((key) => !key.startsWith(RULES)))
    const rules = keys.filter((key) => key.startsWith(RULES))
    if (rules.length) split.set(`${game}-rules`, rules)
  }
  const isOfSite = (key: string): boolean => key in read(SITE, 'en') && !later.has(key)
  for (const [part, files] of Object.entries(LATE)) split.set(part, onlySaidIn(files).filter(isOfSite))
  const whole = catalogue('en')
  split.set(LEARN, learn.filter((key) => key in whole))
  split.set(REVIEW, review.filter((key) => key in whole))
  split.set(EDITIONS, Object.keys(read(SITE, 'en')).filter((key) => key.startsWith(OWN_EDITION)))
  split.set(RUNS, Object.keys(read(SITE, 'en')).filter((key) => key.startsWith(RUN)))
  const late = new Set([...split.values()].flat())
  return new Map([[SITE, Object.keys(catalogue('en')).filter((key) => !late.has(key))], ...split])
}

/** The files that hold the messages of each part, in each language. */
function sources(split: Map<string, string[]>): Map<string, string> {
  const files = new Map<string, string>()
  for (const language of Object.keys(LANGUAGES)) {
    const whole = catalogue(language)
    for (const [part, keys] of split) {
      const texts = Object.fromEntries(keys.filter((key) => key in whole).map((key) => [key, whole[key]]))
      files.set(`${OUT}/sources/${part}/${language}.json`, JSON.stringify(texts))
    }
  }
  return files
}

/** Compiling takes seconds: what is as it was stays. */
async function make(): Promise<void> {
  const split = parts()
  const files = sources(split)
  const version = createHash('sha256').update(JSON.stringify([readFileSync('catalogues.ts', 'utf8'), LANGUAGES, ...files])).digest('hex')
  if (existsSync(`${OUT}/version`) && readFileSync(`${OUT}/version`, 'utf8') === version) return
  rmSync(OUT, { recursive: true, force: true })
  for (const part of split.keys()) mkdirSync(`${OUT}/sources/${part}`, { recursive: true })
  for (const [file, text] of files) writeFileSync(file, text)
  for (const part of split.keys()) {
    const project = `${OUT}/sources/${part}.inlang`
    mkdirSync(project, { recursive: true })
    const settings = {
      baseLocale: 'en',
      locales: Object.keys(LANGUAGES),
      modules: ['../../../node_modules/@inlang/plugin-message-format/dist/index.js'],
      'plugin.inlang.messageFormat': { pathPattern: `./${part}/{locale}.json` },
    }
    writeFileSync(`${project}/settings.json`, JSON.stringify(settings))
    await compile({
      project,
      outdir: `${OUT}/${part}`,
      outputStructure: 'locale-modules',
      emitTsDeclarations: false,
      emitReadme: false,
    })
  }
  for (const part of split.keys()) writeFileSync(`${OUT}/${part}/languages.ts`, languagesOf())
  writeFileSync(`${OUT}/index.ts`, index([...split.keys()]))
  writeFileSync(`${OUT}/version`, version)
}

function languagesOf(): string {
  const imports = Object.keys(LANGUAGES).map((code) => `  ${code}: () => import('./messages/${code}.js'),`)
  return `// Written by catalogues.ts; do not edit.\nexport const load = {\n${imports.join('\n')}\n}\n`
}

function index(names: string[]): string {
  const codes = Object.keys(LANGUAGES)
  const languages = codes.map((code) => {
    const { name, also = [], direction = 'ltr' } = LANGUAGES[code]!
    return `  ${code}: ${JSON.stringify({ name, also, direction })},`
  })
  const loaders = names
    .filter((part) => part !== SITE)
    .map((part) => `  '${part}': () => import('./${part}/languages'),`)
  const types = names.map((part) => `typeof import('./${part}/messages/en.js')`)
  return [
    '// Written by catalogues.ts; do not edit.',
    `export type Messages = ${types.join(' & ')}`,
    `export const LANGUAGES = {\n${languages.join('\n')}\n} as const`,
    `import * as site from './${SITE}/languages'`,
    'type Languages = { load: Record<string, () => Promise<object>> }',
    // The start page names one file of a game, not one for each language.
    `export const parts: Record<string, () => Promise<Languages>> = {\n  ${SITE}: async () => site,\n${loaders.join('\n')}\n}`,
    '',
  ].join('\n')
}

export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    // Before anything asks for a module: the development server answers while buildStart still runs.
    configResolved: make,
    configureServer(server) {
      server.watcher.add([SITE, ...games()].map(folderOf))
      server.watcher.on('change', (file) => {
        if (/messages\/\w+\.json$/.test(file)) void make().then(() => server.ws.send({ type: 'full-reload' }))
      })
    },
  }
}
