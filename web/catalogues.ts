/** Makes what people read from its sources: messages/<language>.json, and those of each game in its own folder.
 *
 * All sources of a language are one catalogue; which file has a message does not matter, so a new language may begin as a
 * single file. A message belongs to the game in whose folder the English one lies, and comes to the browser with that game;
 * what a game's `listing.ts` says is on the start page, and comes with the site. The chapters of the rules are long, and a
 * table needs none of them: they come by themselves. So do those that are only said of bots to challenge, where no page is, in the settings, of one's games, of an account, when a game is over, of
 * editions of one's own, in reviews, or in lessons and drills, whichever game's they are. */

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
const BOTS = 'bots'
const OUT = 'src/catalogue'
const WRITTEN = '// Written by catalogues.ts; do not edit.'
/** What only these files say of the site's own messages comes with them. */
const LATE: Record<string, RegExp> = {
  [BOTS]: /^(pages\/Bots|parts\/Challenged)\.svelte$/,
  // Pages that are never the first.
  further: /^pages\/(Settings|Keys|NewTable|MyGames|Missing)\.svelte$/,
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
/** Messages whose names begin so are about the bots that are always here: they come with the page of bots. */
const ABOUT_BOT = 'about_bot_'

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

/** The messages that these files say, and no others; of those whose names are made at run time nobody knows who says them. */
function onlySaidIn(files: RegExp): string[] {
  const [inside, outside, made] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|svelte)$/.test(path) || path.startsWith('catalogue')) continue
    const source = readFileSync(`src/${path}`, 'utf8')
    for (const [, key] of source.matchAll(/\bm\.(\w+)/g)) (files.test(path) ? inside : outside).add(key!)
    if (!files.test(path)) for (const [, start] of source.matchAll(/\bmessageNamed\(`(\w+_)\$/g)) made.add(start!)
  }
  return [...inside].filter((key) => !outside.has(key) && ![...made].some((start) => key.startsWith(start))).sort()
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
  split.get(BOTS)!.push(...Object.keys(read(SITE, 'en')).filter((key) => key.startsWith(ABOUT_BOT)))
  const whole = catalogue('en')
  split.set(LEARN, learn.filter((key) => key in whole))
  split.set(REVIEW, review.filter((key) => key in whole))
  split.set(EDITIONS, Object.keys(read(SITE, 'en')).filter((key) => key.startsWith(OWN_EDITION)))
  split.set(RUNS, Object.keys(read(SITE, 'en')).filter((key) => key.startsWith(RUN)))
  const late = new Set([...split.values()].flat())
  return new Map([[SITE, Object.keys(catalogue('en')).filter((key) => !late.has(key))], ...split])
}

/** One message as a function of its placeholders: `{name}` stands for what is given as `name`, and a message with plural forms has
 * one for each that the language knows. */
function functionOf(key: string, message: unknown): string {
  if (typeof message === 'string') return `export const ${key} = ${takes(message)} => ${template(message)}`
  const forms = Object.entries(formsOf(message)).map(([form, text]) => `${form}: ${template(text)}`)
  return `export const ${key} = (i) => $plural(i.count, { ${forms.join(', ')} })`
}

const PLACEHOLDER = /\{(\w+)\}/g
const placeholders = (text: string): string[] => [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name!))]
const takes = (text: string): string => (placeholders(text).length ? '(i)' : '()')
const template = (text: string): string => `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replace(PLACEHOLDER, '${i.$1}')}\``

/** The forms of a message, as `{ one: '{count} card', other: '{count} cards' }`. */
function formsOf(message: unknown): Record<string, string> {
  const [{ match }] = message as [{ match: Record<string, string> }]
  return Object.fromEntries(Object.entries(match).map(([form, text]) => [form.replace('plural=', ''), text]))
}

function moduleOf(keys: string[], language: string, texts: Catalogue): string {
  const functions = keys.map((key) => functionOf(key, texts[key]))
  // No message has a name with a $.
  const plural = [
    `const $rules = new Intl.PluralRules('${language}')`,
    'const $plural = (count, forms) => forms[$rules.select(Number(count))] ?? forms.other',
  ]
  return [WRITTEN, ...(functions.some((text) => text.includes('$plural(')) ? plural : []), ...functions, ''].join('\n')
}

/** What each message is called with. */
function typesOf(whole: Catalogue): string {
  const types = Object.entries(whole).map(([key, message]) => {
    const names = placeholders(typeof message === 'string' ? message : ['{count}', ...Object.values(formsOf(message))].join())
    return `  ${key}: (i${names.length ? `: { ${names.map((name) => `${name}: unknown`).join('; ')} }` : '?: object'}) => string`
  })
  return `export interface Messages {\n${types.join('\n')}\n}`
}

function make(): void {
  const split = parts()
  const english = catalogue('en')
  if (existsSync(OUT)) for (const old of readdirSync(OUT)) if (old !== 'index.ts' && !split.has(old)) rmSync(`${OUT}/${old}`, { recursive: true })
  for (const part of split.keys()) {
    mkdirSync(`${OUT}/${part}`, { recursive: true })
    write(`${OUT}/${part}/languages.ts`, languagesOf())
  }
  for (const language of Object.keys(LANGUAGES)) {
    const texts = { ...english, ...catalogue(language) }
    for (const [part, keys] of split) write(`${OUT}/${part}/${language}.js`, moduleOf(keys, language, texts))
  }
  write(`${OUT}/index.ts`, index([...split.keys()], english))
}

/** What is as it was stays: somebody may be reading it. */
function write(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

function languagesOf(): string {
  const imports = Object.keys(LANGUAGES).map((code) => `  ${code}: () => import('./${code}.js'),`)
  return `${WRITTEN}\nexport const load = {\n${imports.join('\n')}\n}\n`
}

function index(names: string[], english: Catalogue): string {
  const codes = Object.keys(LANGUAGES)
  const languages = codes.map((code) => {
    const { name, also = [], direction = 'ltr' } = LANGUAGES[code]!
    return `  ${code}: ${JSON.stringify({ name, also, direction })},`
  })
  const loaders = names
    .filter((part) => part !== SITE)
    .map((part) => `  '${part}': () => import('./${part}/languages'),`)
  return [
    WRITTEN,
    typesOf(english),
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
        if (!/messages\/\w+\.json$/.test(file)) return
        make()
        server.ws.send({ type: 'full-reload' })
      })
    },
  }
}
