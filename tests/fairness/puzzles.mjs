// What puzzles ask, from luck alone: written from docs/fairness.md and, for the boards of dice, from the rules C1 to C20. Nothing of Tercet's is imported.
// `luck.number(count, label)` is a number of the game; `lucky(text)` makes the luck of a position.

const SIGNS = { cards: ['123', 'RGP', 'FHE', 'DOS'], dice: ['123', 'RGP', 'DOS'] }
const whole = (of) => SIGNS[of].reduce((made, signs) => made.flatMap((text) => [...signs].map((sign) => text + sign)), [''])
const PACK = { cards: whole('cards'), dice: whole('dice') }
const ofKind = (text) => (text.length === 4 ? 'cards' : 'dice')
const missing = (signs, a, b) => (a === b ? a : [...signs].find((sign) => sign !== a && sign !== b))
const third = (a, b) => SIGNS[ofKind(a)].map((signs, place) => missing(signs, a[place], b[place])).join('')
const alike = (a, b) => [...a].filter((sign, place) => sign === b[place]).length
const differing = (three) => [...three[0]].filter((_, place) => new Set(three.map((one) => one[place])).size > 1).length

function threes(lying) {
  const found = []
  for (let i = 0; i < lying.length; i++)
    for (let j = i + 1; j < lying.length; j++)
      for (let k = j + 1; k < lying.length; k++) if (third(lying[i], lying[j]) === lying[k]) found.push([lying[i], lying[j], lying[k]])
  return found
}

function pick(pack, count, luck, label) {
  const left = [...pack]
  return Array.from({ length: count }, (_, place) => luck.draw(left, `${label} ${place + 1}`))
}

// --- how hard it is ---

/** The complementary error function, to some 15 digits. */
function erfc(x) {
  if (x < 0) return 2 - erfc(-x)
  if (x < 2.5) {
    let [sum, term] = [x, x]
    for (let n = 1; n < 80; n++) sum += (term *= (-x * x) / n) / (2 * n + 1)
    return 1 - (2 / Math.sqrt(Math.PI)) * sum
  }
  let tail = 0
  for (let n = 60; n > 0; n--) tail = n / 2 / (x + tail)
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + tail)
}
const later = (time, median) => erfc((time - median) / 0.75 / Math.SQRT2) / 2

function bisect(low, high, isBelow) {
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (isBelow(middle)) high = middle
    else low = middle
  }
  return Math.exp(high)
}

function medians(shown, sets, effort) {
  const counts = new Map()
  for (const symbol of shown) [...symbol].forEach((sign, place) => counts.set(`${place}${sign}`, (counts.get(`${place}${sign}`) ?? 0) + 1))
  let common = null
  for (const [value, count] of counts) if (count < shown.length && (common === null || count > counts.get(common))) common = value
  const shares = (three) => common !== null && three.every((symbol) => symbol[common[0]] === common[1])
  return sets.map((three) => Math.log(effort * 3.7) + 0.35 * (differing(three) - 1) - (shares(three) ? 0.3 : 0))
}
const product = (medians, part) => medians.reduce((sum, median) => sum * part(median), 1)
const firstFind = (times) => bisect(Math.min(...times) - 4.5, Math.min(...times), (now) => product(times, (one) => later(now, one)) < 0.5)
const lastFind = (times) => bisect(Math.max(...times), Math.max(...times) + 4.5, (now) => product(times, (one) => 1 - later(now, one)) > 0.5)
const atAGlance = (three) => 0.4 * 3.7 * Math.exp(0.35 * (differing(three) - 1))

// --- storms, races and days ---

const DRAFTS = {
  third(of, _, luck, label) {
    const [a, b] = pick(PACK[of], 2, luck, label)
    const right = third(a, b)
    const others = PACK[of].filter((one) => ![a, b, right].includes(one)).sort((x, y) => alike(y, right) - alike(x, right))
    const choices = [right, ...pick(others.slice(0, 12), 5, luck, `${label} wrong`)]
    return { shown: [a, b], choices: pick(choices, 6, luck, `${label} order`), seconds: atAGlance([a, b, right]) }
  },
  is_set(of, _, luck, label) {
    const [a, b] = pick(PACK[of], 2, luck, label)
    let last = third(a, b)
    if (luck.number(2, `${label} spoilt`)) {
      const near = PACK[of].filter((one) => one !== a && one !== b && alike(one, last) === last.length - 1)
      last = near[luck.number(near.length, `${label} near`)]
    }
    return { shown: [a, b, last], seconds: atAGlance([a, b, last]) }
  },
  find(of, among, luck, label) {
    for (let attempt = 1; ; attempt++) {
      const shown = pick(PACK[of], among, luck, `${label}.${attempt}`)
      const sets = threes(shown)
      if (sets.length) return { shown, seconds: firstFind(medians(shown, sets, among / 12)) }
    }
  },
}

const write = (asked, of, { shown, choices, seconds }) =>
  `${asked} of ${of} (${Math.round(1000 * seconds)} ms): ${shown.join(' ')}${choices ? ` from ${choices.join(' ')}` : ''}`

function quick(number, luck) {
  const [lap, place] = [Math.floor((number - 1) / 6), (number - 1) % 6]
  const [asked, of] = [['third', 'is_set', 'find'][place % 3], place < 3 ? 'cards' : 'dice']
  const among = Math.min([6, 6, 9, 9, 12][Math.min(lap, 4)], of === 'dice' ? 9 : 12)
  const drafts = [1, 2, 3, 4, 5].map((one) => DRAFTS[asked](of, among, luck, `item ${number} try ${one}`))
  drafts.sort((a, b) => Math.round(1000 * a.seconds) - Math.round(1000 * b.seconds))
  return write(asked, of, drafts[Math.min(lap, 4)])
}

function daily(day, luck) {
  const level = [3, 0, 0, 1, 1, 2, 2][new Date(`${day}T00:00Z`).getUTCDay()]
  const [low, high] = [[0, 15300, 17350, 19200][level], [15300, 17350, 19200, Infinity][level]]
  for (let attempt = 1; ; attempt++) {
    const shown = pick(PACK.cards, 12, luck, `item 1 try ${attempt}`)
    const sets = threes(shown)
    if (sets.length !== 6) continue
    const seconds = lastFind(medians(shown, sets, 1))
    const ms = Math.round(1000 * seconds)
    if (low <= ms && ms < high) return write('find_all', 'cards', { shown, seconds })
  }
}

// --- boards of dice ---

const RUNS = []
for (let row = 0; row < 9; row++)
  for (let col = 0; col < 9; col++) {
    const cell = 9 * row + col
    if (col < 7) RUNS.push([cell, cell + 1, cell + 2])
    if (row < 7) RUNS.push([cell, cell + 9, cell + 18])
  }
const cellOf = (square) => 9 * (Number(square.slice(1)) - 1) + 'abcdefghi'.indexOf(square[0])
const isSet = (a, b, c) => [a, b, c].includes('W') || third(a, b) === c
const orders = (list) => (list.length < 2 ? [list] : list.flatMap((one, place) => orders(list.toSpliced(place, 1)).map((rest) => [one, ...rest])))

/** C17 to C19: a point for each die of each new SET; a wild scores only in SETs that are finished after the first it is in. */
function score(sets, laid) {
  const plain = sets.reduce((sum, set) => sum + 3 - set.laid.filter((die) => die.wild).length, 0)
  if (!laid.some((die) => die.wild)) return plain
  const ways = orders(laid).map((order) => {
    let points = 0
    for (const die of laid.filter((one) => one.wild)) {
      const finished = sets.filter((set) => set.laid.includes(die)).map((set) => Math.max(...set.laid.map((one) => order.indexOf(one))))
      points += finished.filter((when) => when > Math.min(...finished)).length
    }
    return points
  })
  return plain + Math.max(...ways)
}

/** Every legal turn (C7 to C11), as `{score, laid}`, in order: the most points, then the fewest dice, then from the last die on by square, face, wild. */
function turnsOf(board, hand, bonus) {
  const wilds = hand.filter((face) => face === 'W').length
  const count = (face) => hand.filter((one) => one === face).length
  const known = new Map()
  const placed = (cell, face, wild) => {
    const key = cell * 64 + PACK.dice.indexOf(face) * 2 + Number(wild)
    if (!known.has(key)) known.set(key, { cell, face, wild, key })
    return known.get(key)
  }
  const ways = (cell, face) => [...(count(face) ? [placed(cell, face, false)] : []), ...(wilds ? [placed(cell, face, true)] : [])]
  const fits = (dice) =>
    new Set(dice.map((die) => die.cell)).size === dice.length &&
    dice.filter((die) => die.wild).length <= wilds &&
    dice.every((die) => die.wild || dice.filter((one) => !one.wild && one.face === die.face).length <= count(die.face))
  const [singles, pairs] = [new Map(), new Map()]
  const add = (where, dice, run) => {
    const laid = [...dice].sort((a, b) => a.key - b.key)
    const key = laid.map((die) => die.key).join()
    if (!where.has(key)) where.set(key, { laid, sets: [] })
    where.get(key).sets.push({ run, laid })
  }
  for (const run of RUNS) {
    const gaps = run.filter((cell) => !board[cell])
    const lying = run.filter((cell) => board[cell]).map((cell) => board[cell].face)
    if (gaps.length === 1) for (const die of ways(gaps[0], third(...lying))) add(singles, [die], run)
    if (gaps.length === 2)
      for (const face of PACK.dice)
        for (const one of ways(gaps[0], face)) for (const two of ways(gaps[1], third(lying[0], face))) if (fits([one, two])) add(pairs, [one, two], run)
  }
  const turns = new Map()
  const take = (...dice) => {
    const laid = [...new Set(dice)].sort((a, b) => a.key - b.key)
    const key = laid.map((die) => die.key).join()
    if (laid.length > 3 || turns.has(key) || !fits(laid)) return
    const sets = laid.flatMap((die) => singles.get(String(die.key))?.sets ?? [])
    for (let i = 0; i < laid.length; i++) for (let j = i + 1; j < laid.length; j++) sets.push(...(pairs.get(`${laid[i].key},${laid[j].key}`)?.sets ?? []))
    turns.set(key, { laid, score: score(sets, laid) + laid.reduce((sum, die) => sum + (bonus[die.cell] ?? 0), 0) })
  }
  const alone = [...singles.values()].map((one) => one.laid[0])
  const linked = [...pairs.values()].map((one) => one.laid)
  alone.forEach((a, i) => {
    take(a)
    alone.slice(i + 1).forEach((b, j) => {
      take(a, b)
      alone.slice(i + j + 2).forEach((c) => take(a, b, c))
    })
  })
  const partners = new Map()
  for (const [a, b] of linked) {
    take(a, b)
    alone.forEach((c) => take(a, b, c))
    for (const [one, other] of [[a, b], [b, a]]) partners.set(one, [...(partners.get(one) ?? []), other])
  }
  for (const [one, others] of partners) others.forEach((b, i) => others.slice(i + 1).forEach((c) => take(one, b, c)))
  const fromTheEnd = (a, b) => a.laid.toReversed().map((die, place) => die.key - b.laid.at(-1 - place).key).find((d) => d) ?? 0
  return [...turns.values()].sort((a, b) => b.score - a.score || a.laid.length - b.laid.length || fromTheEnd(a, b))
}

class Play {
  constructor(luck, { dice, logo, bonus }) {
    Object.assign(this, { luck, dice, logo: logo.map(cellOf), bonus, drawn: 0, first: null, turn: null, phase: 'start' })
    this.bag = dice.map((_, place) => place + 1)
    this.hands = [[], []]
    this.throws = dice.map(() => 0)
    this.board = Array(81).fill(null)
    this.scores = [0, 0]
    this.round = 1
    this.laid = this.could = false
    this.idle = this.rethrows = 0
  }
  throwOne(number) {
    return { number, face: this.dice[number - 1][this.luck.number(6, `die ${number} throw ${++this.throws[number - 1]}`)], wild: false }
  }
  draw(seat) {
    while (this.hands[seat].length < 5 && this.bag.length) this.hands[seat].push(this.throwOne(this.luck.draw(this.bag, `draw ${++this.drawn}`)))
  }
  throwHand(seat) {
    this.hands[seat] = this.hands[seat].map((die) => this.throwOne(die.number))
  }
  seats = () => (this.first === 1 ? [1, 0] : [0, 1])
  hasSet = () =>
    this.hands.some((hand) => hand.some((a, i) => hand.some((b, j) => i < j && hand.some((c, k) => j < k && isSet(a.face, b.face, c.face)))))
  throwUntilSet() {
    for (let times = 0; times < 100; times++) {
      this.seats().forEach((seat) => this.throwHand(seat))
      if (this.hasSet()) return
    }
    this.phase = 'over'
  }
  open() {
    for (const seat of [0, 1]) {
      const plain = this.hands[seat].filter((die) => die.face !== 'W')
      const three = threes(plain.map((die) => die.face)).find((faces) => new Set(faces).size === 3)
      if (!three) continue
      const dice = three.map((face) => plain.findLast((die) => die.face === face))
      this.put(seat, dice.map((die, place) => ({ die, cell: this.logo[place], face: die.face, wild: false })), 3)
      Object.assign(this, { first: seat, phase: 'turn' })
      return
    }
    this.throwUntilSet()
  }
  put(seat, laid, points) {
    for (const { die, cell, face, wild } of laid) this.board[cell] = { number: die.number, face, wild }
    this.hands[seat] = this.hands[seat].filter((die) => !laid.some((one) => one.die === die))
    this.scores[seat] += points
    this.laid = true
    this.turn = 1 - seat
  }
  turns = (seat) => turnsOf(this.board, this.hands[seat].map((die) => die.face), this.bonus)
  lay(number) {
    const seat = this.turn
    const all = this.turns(seat)
    const best = all.slice(0, this.hands[seat].some((die) => die.face === 'W') ? 1 : 3)
    if (best.length) {
      const { laid, score } = best[this.luck.number(best.length, `move ${number}`)]
      const left = this.hands[seat].toSorted((a, b) => a.number - b.number)
      const dice = laid.map((one) => left.splice(left.findIndex((die) => die.face === (one.wild ? 'W' : one.face)), 1)[0])
      this.put(seat, laid.map((one, place) => ({ ...one, die: dice[place] })), score)
    } else this.turn = 1 - seat
    if (this.turn === this.first) this.endRound()
  }
  endRound() {
    const stuck = !this.laid && !this.could
    if (this.laid) this.idle = this.rethrows = 0
    else this.rethrows++
    this.laid = this.could = false
    if (this.rethrows === 20 || this.hands.some((hand) => !hand.length)) return void (this.phase = 'over')
    this.round++
    this.seats().forEach((seat) => this.draw(seat))
    if (stuck) this.seats().forEach((seat) => this.throwHand(seat))
    else Object.assign(this, { phase: 'extra roll', turn: null })
  }
  extraRoll(number) {
    const thrown = [0, 1].filter((seat) => !this.luck.number(2, `move ${number} seat ${seat}`))
    this.seats().filter((seat) => thrown.includes(seat)).forEach((seat) => this.throwHand(seat))
    Object.assign(this, { phase: 'turn', turn: this.first })
  }
  /** Whether the game comes to the turn after so many. */
  play(turns) {
    for (let [done, number] = [0, 0]; this.phase !== 'over'; number++) {
      if (this.phase === 'start') {
        ;[0, 1].forEach((seat) => this.draw(seat))
        this.phase = 'opening'
        if (!this.hasSet()) this.throwUntilSet()
      } else if (this.phase === 'opening') this.open()
      else if (this.phase === 'extra roll') this.extraRoll(number)
      else if (done++ === turns) return true
      else this.lay(number)
    }
    return false
  }
  isGood() {
    const wild = this.hands[this.turn].some((die) => die.face === 'W') || this.board.some((die) => die?.wild)
    return !wild && this.turns(this.turn).length >= 8
  }
}

/** The position of this number. */
function position(number, edition, lucky) {
  for (let attempt = 0; ; attempt++) {
    const play = new Play(lucky(`tercet position ${number} ${attempt}`), edition)
    if (play.play(4 + play.luck.number(12, 'turns before')) && play.isGood()) return play
  }
}

/** What is asked as item `number`, and what of it can be compared: a text, or parts of a position. */
export function check(text, number, options, luck, edition, lucky, same) {
  const kind = options.kind ?? 'storm'
  if (kind === 'storm' || kind === 'race') return same(text, quick(number, luck), `item ${number}`)
  if (kind === 'daily_set') return same(text, daily(options.day, luck), 'the puzzle of the day')
  const found = JSON.parse(text.replace(/^best_turn in /, ''))
  const wanted = position(luck.number(2 ** 48, `item ${number} position`), edition, lucky)
  for (const part of ['board', 'hands', 'bag', 'scores', 'throws', 'first', 'turn', 'round'])
    same(JSON.stringify(found[part]), JSON.stringify(wanted[part]), `${part} of item ${number}`)
}
