// An independent checker of Tercet's records, written from docs/fairness.md alone. It imports nothing of Tercet's.
// For boards of dice it reads the file of the house edition. node verifier.mjs RECORD… prints one line a record: "ok N" (N chances came out right) or what is wrong.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as puzzles from './puzzles.mjs'

const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const fail = (why) => {
  throw new Error(why)
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

function read(text) {
  const [head, body] = text.split('\n\n')
  const tags = {}
  for (const line of head.split('\n')) {
    const [, name, value] = line.match(/^\[(\w+) (".*")\]$/) ?? fail(`not a tag: ${line}`)
    if (name in tags) fail(`${name} twice`)
    tags[name] = JSON.parse(value)
  }
  return { tags, lines: body.split('\n').filter((line) => line) }
}

function header(tags) {
  const left = { ...tags }
  const take = (name, missing) => {
    const value = left[name] ?? missing
    delete left[name]
    return value
  }
  const seats = []
  while (`Seat${seats.length + 1}` in left) seats.push(take(`Seat${seats.length + 1}`))
  const each = (name) => seats.map((_, seat) => take(`${name}${seat + 1}`, ''))
  const object = (text) => (text === undefined ? null : JSON.parse(text))
  const result = take('Result')
  take('Seal')
  return {
    tercet: take('Tercet'),
    game: take('Game'),
    table: take('Table'),
    number: Number(take('Number')),
    called_off: Number(take('CalledOff')),
    seats,
    options: object(take('Options')),
    edition: object(take('Edition')),
    commitment: take('Commitment'),
    commitments: each('Commitment'),
    secrets: each('Secret'),
    seed: take('Seed', null),
    result: result === '*' ? null : result.split(' ').map(Number),
    tags: left,
  }
}

function checkSeal({ tags, lines }, head) {
  let hash = sha(canonical(head))
  let digits = hash.toString('hex').slice(0, 4)
  for (const line of lines) {
    hash = sha(hash, line)
    digits += hash.toString('hex').slice(0, 4)
  }
  if (tags.Seal !== digits + hash.toString('hex')) fail('the seal does not fit')
}

function checkCommitments({ Options }, head) {
  const commit = (kind, hidden) => sha([kind, head.table, head.number, head.game, Options, hidden].join('\n')).toString('hex')
  if (canonical(head.options) !== Options) fail('the options are not canonical')
  if (commit('tercet seed', head.seed) !== head.commitment) fail('the seed is not the one committed to')
  head.secrets.forEach((secret, seat) => {
    if ((secret && commit('tercet secret', secret)) !== head.commitments[seat]) fail(`secret of seat ${seat + 1}`)
  })
}

/** The edition's dice, each with its six faces, after a look at the fingerprint. */
function diceOf({ options, edition }) {
  const whole = edition ?? options.edition
  if (edition) {
    const matters = { bonus: whole.bonus ?? {}, dice: whole.dice, logo: whole.logo, size: whole.size, wild: whole.wild ?? 'later' }
    const print = sha(canonical(matters)).toString('hex').slice(0, 32)
    if (options.edition !== `${whole.name}:${print}`) fail('this is not the edition of the options')
  }
  return whole.dice.map((line) => line.split(' '))
}

class Luck {
  checked = 0
  constructor({ seed, secrets }) {
    const lines = ['tercet 1', ...secrets.map((secret) => `${secret.length}:${secret}`)]
    this.key = createHmac('sha256', Buffer.from(seed, 'hex')).update(lines.join('\n')).digest()
  }
  number(count, label) {
    const size = BigInt(count)
    for (let attempt = 0; ; attempt++) {
      const number = createHmac('sha256', this.key).update(`${label}/${attempt}`).digest().readBigUInt64BE()
      if (number < 2n ** 64n - (2n ** 64n % size)) return this.checked++, Number(number % size)
    }
  }
  /** The one of those left that comes next; it is left no longer. */
  draw = (left, label) => left.splice(this.number(left.length, label), 1)[0]
}

const same = (found, wanted, what) => found === wanted || fail(`${what}: ${found} should be ${wanted}`)

function checkSet(events, luck, { options }) {
  const whole = []
  for (const n of '123') for (const c of 'RGP') for (const f of 'FHE') for (const s of 'DOS') whole.push(n + c + f + s)
  const signs = { red: 'R', green: 'G', purple: 'P', full: 'F', hatched: 'H', empty: 'E', diamond: 'D', oval: 'O', squiggle: 'S' }
  const only = options.variant === 'junior' ? 'full' : options.only
  const kept = only == null ? '' : (signs[only] ?? String(only))
  let [round, turned, deck, table] = [0, 0, [], []]
  const turn = (text, what) => {
    const cards = text ? text.split(' ') : []
    for (const card of cards) same(card, luck.draw(deck, `round ${round} card ${++turned}`), what)
    return cards
  }
  for (const event of events) {
    const [, dealt] = event.match(/^\d deals round \d+: (.*)$/) ?? []
    const [, taken, fresh] = event.match(/^\d takes ([^,]*)(?:, new (.*))?$/) ?? []
    const [, more] = event.match(/^three more: (.*)$/) ?? []
    const [, places] = event.match(/^new places: (.*)$/) ?? []
    if (dealt) {
      ;[round, turned, deck] = [round + 1, 0, whole.filter((card) => card.includes(kept))]
      table = turn(dealt, event)
    } else if (more) table.push(...turn(more, event))
    else if (taken) {
      const gaps = taken.split(' ').map((card) => table.indexOf(card)).filter((place) => place >= 0).sort((a, b) => a - b)
      const cards = turn(fresh, event)
      cards.forEach((card, place) => (table[gaps[place]] = card))
      const open = gaps.slice(cards.length)
      const end = table.length - open.length
      const movers = table.filter((_, place) => place >= end && !open.includes(place))
      open.filter((gap) => gap < end).forEach((gap, place) => (table[gap] = movers[place]))
      table.length = end
    } else if (places) {
      const left = deck.length + table.length
      for (let i = table.length - 1; i > 0; i--) {
        const other = luck.number(i + 1, `round ${round} with ${left} left, place ${i + 1}`)
        ;[table[i], table[other]] = [table[other], table[i]]
      }
      same(places, table.join(' '), 'new places')
    }
  }
}

function checkCubed(events, luck, head) {
  const dice = diceOf(head)
  const bag = dice.map((_, place) => place + 1)
  const throws = {}
  let drawn = 0
  for (const event of events) {
    const [, verb, text] = event.match(/^\d (draws|throws) (?!again)(.*)$/) ?? []
    const [, taken] = event.match(/^\d replaces [^=]*=(\S+)/) ?? []
    for (const die of text?.split(' ') ?? (taken ? [taken] : [])) {
      const [face, number] = die.split('#')
      if (verb === 'draws') same(number, String(luck.draw(bag, `draw ${++drawn}`)), event)
      throws[number] = (throws[number] ?? 0) + 1
      same(face, dice[number - 1][luck.number(6, `die ${number} throw ${throws[number]}`)], event)
    }
  }
}

function checkScramble(events, luck, head) {
  const dice = diceOf(head)
  for (const event of events) {
    const [, round, text] = event.match(/^\d throws round (\d+): (.*)$/) ?? []
    const left = Array.from({ length: 42 }, (_, place) => place + 1)
    text?.split(' ').forEach((die, place) => {
      const number = luck.draw(left, `round ${round} place ${place + 1}`)
      same(die, `${dice[number - 1][luck.number(6, `round ${round} die ${number}`)]}#${number}`, event)
    })
  }
}

/** The house edition, with which all positions of puzzles are played. */
function house() {
  const text = readFileSync(new URL('../../src/tercet/editions/house.toml', import.meta.url), 'utf8')
  const [, logo] = text.match(/^logo = (.*)$/m)
  const bonus = {}
  for (const [, col, row, points] of text.matchAll(/^([a-i])([1-9]) = (\d+)$/gm)) bonus[9 * (row - 1) + 'abcdefghi'.indexOf(col)] = Number(points)
  const dice = [...text.matchAll(/^ {2}"(.*)",$/gm)].map(([, line]) => line.split(' '))
  return { dice, logo: JSON.parse(logo), bonus }
}

function checkPuzzles(events, luck, { options }) {
  const asked = new Set()
  const lucky = (text) => new Luck({ seed: sha(text).toString('hex'), secrets: [] })
  for (const event of events) {
    const [, first] = event.match(/^begin with (.*)$/) ?? []
    const [, number, next] = event.match(/^\d+ answers (\d+): .*?; next (.*)$/) ?? []
    const text = first ?? next
    const item = first ? 1 : Number(number) + 1
    if (text === undefined || asked.has(`${item} ${text}`)) continue // in a race all come to the same items
    asked.add(`${item} ${text}`)
    puzzles.check(text, item, options, luck, house(), lucky, same)
  }
}

function check(text) {
  const record = read(text)
  const head = header(record.tags)
  if (head.seed === null) fail('the game is not finished: its seed is still secret')
  checkSeal(record, head)
  checkCommitments(record.tags, head)
  const luck = new Luck(head)
  const events = record.lines.map((line) => line.replace(/^\d+\. \d+:\d\d:\d\d\.\d{3} /, ''))
  const checks = { set: checkSet, cubed: checkCubed, scramble: checkScramble, puzzles: checkPuzzles }
  checks[head.game](events, luck, head)
  const end = events.at(-1).match(/^game over: (.*)$/)?.[1]
  same(end ?? '*', record.tags.Result, 'the result')
  return luck.checked
}

for (const file of process.argv.slice(2)) {
  try {
    console.log(`ok ${check(readFileSync(file, 'utf8'))}`)
  } catch (error) {
    console.log(`wrong: ${error.message}`)
  }
}
