/** The own turn before it is confirmed: the dice that are chosen and laid, what they score and what is wrong with them. */

import type { Edition } from '../../editions/editions'
import { announce } from '../../announce.svelte'
import { WILD } from '../../sets'
import { cellOf, squareOf, type Square } from '../../editions/squares'
import { pairSquares, partners, replacers, wildFaces } from './fits'
import { canLay, facesForWild, judge, LAY_LIMIT, squaresFor, type Judgement, type Problem } from './turns'
import { m } from '../../language.svelte'
import type { CubedState, Die, CubedPlacement as Placement } from '../../protocol'
import { describe, whyNot } from '../../words'
import type { Lying } from './Board.svelte'
import type { Mark } from './marks'
import { dieText, placedText } from './spoken'
import type { Voice } from '../../table/voice.svelte'

export type Laid = Placement & { die: number }
type DieOnSquare = { die: number; square: Square }

/** What the turn needs to know of the table, now. */
interface Situation {
  edition: Edition
  board: CubedState['board']
  hand: readonly Die[]
  seat: number
  onTurn: boolean
  /** What is asked now: when that changes, nothing is chosen yet. */
  asked?: string
}

const NOWHERE: ReadonlySet<Square> = new Set()

export class Turn {
  laid = $state.raw<readonly Laid[]>([])
  /** The numbers of dice to lay, to show or to throw again. */
  chosen = $state.raw<readonly number[]>([])
  /** A die that is to take the place of a wild. */
  replacing = $state.raw<DieOnSquare | null>(null)
  /** A wild whose face is asked for, and the faces that lead to a SET: at once, or with a second die. */
  naming = $state.raw<(DieOnSquare & { now: string[]; later: string[] }) | null>(null)
  hinted = $state.raw<ReadonlySet<Square>>(NOWHERE)
  /** The dice in hand that a hint speaks of. */
  hintedDice = $state.raw<readonly number[]>([])

  readonly judgement: Judgement = $derived.by(() => {
    const { edition, board } = this.situation()
    return judge(edition, board, this.laid)
  })
  readonly points = $derived(this.judgement.setPoints + this.judgement.bonus)
  readonly ready = $derived(this.laid.length > 0 && this.judgement.problems.length === 0)

  /** The board with what is laid now. */
  readonly dice: ReadonlyMap<Square, Lying> = $derived.by(() => {
    const { edition, board } = this.situation()
    const lying = new Map<Square, Lying>()
    board.forEach((die, cell) => {
      if (die) lying.set(squareOf(edition.layout, cell), { face: die.face, wild: die.wild })
    })
    for (const { square, face, wild } of this.laid) lying.set(square, { face, wild: wild ?? false, fresh: true })
    return lying
  })
  /** The SETs that would be made. */
  readonly marks: readonly Mark[] = $derived.by(() => {
    const { seat } = this.situation()
    return this.judgement.sets.map(({ squares, points }) => ({ squares, points, seat }))
  })
  /** The squares of dice that are in no SET yet. */
  readonly #unfinished = $derived(
    new Set(this.judgement.problems.flatMap((problem) => ('square' in problem ? [problem.square] : []))),
  )
  /** The same, where no second die can help. */
  readonly wrong: ReadonlySet<Square> = $derived.by(() => (this.#seconds.length ? NOWHERE : this.#unfinished))
  /** Where the chosen die makes a SET or takes a wild's place. */
  readonly inviting: ReadonlySet<Square> = $derived.by(() => {
    const { edition, board } = this.situation()
    const die = this.#chosenDie()
    return die ? squaresFor(edition, board, this.#others(die.number), die.face) : NOWHERE
  })
  /** What would put all in order that lies there and is in no SET yet. */
  readonly #seconds: readonly { face: string; square: Square }[] = $derived.by(() => {
    const { edition, board, onTurn } = this.situation()
    if (!onTurn) return []
    const mends = ({ face, square }: { face: string; square: Square }) =>
      (face === WILD ? facesForWild(edition, board, this.laid, square) : [face]).some(
        (named) => !judge(edition, board, [...this.laid, { square, face: named, wild: face === WILD }]).problems.length,
      )
    return this.laid
      .filter(({ square }) => this.#unfinished.has(square))
      .flatMap((first) => partners(edition, board, this.laid, first, this.#inHand()).filter(mends))
  })
  /** Where the chosen die makes one only with a second; or where that second one goes. */
  readonly pairing: ReadonlySet<Square> = $derived.by(() => {
    const { edition, board } = this.situation()
    const die = this.#chosenDie()
    if (!die) return new Set(this.#seconds.map(({ square }) => square))
    const laid = this.#others(die.number)
    const pairs = pairSquares(edition, board, laid, die.face, this.#inHand(die.number))
    return new Set([...pairs.keys()].filter((square) => !this.inviting.has(square)))
  })

  /** What to do next; empty while dice lie, of which is said what they make. */
  readonly #canLay: boolean = $derived.by(() => {
    const { edition, board, hand } = this.situation()
    return canLay(edition, board, hand)
  })
  /** There is nothing to do but to pass. */
  readonly isStuck: boolean = $derived.by(() => {
    const { board, hand } = this.situation()
    return !this.#canLay && !replacers(board, hand).length
  })
  readonly guide: string = $derived.by(() => {
    if (this.replacing) return m.replace_guide()
    if (this.chosen.length) return this.inviting.size ? m.pick_square() : this.pairing.size ? m.pair_guide() : m.no_fit_guide()
    if (this.laid.length) return ''
    if (this.#canLay) return m.your_turn_guide()
    return this.isStuck ? m.stuck_guide() : m.stuck_replace_guide()
  })

  #asked: string | undefined

  constructor(
    readonly situation: () => Situation,
    readonly voice: Pick<Voice, 'say' | 'clear' | 'seat' | 'tone'>,
  ) {
    this.#asked = situation().asked
  }

  #held(number: number): Die | undefined {
    return this.situation().hand.find((die) => die.number === number)
  }

  #chosenDie(): Die | undefined {
    return this.situation().onTurn && this.chosen.length === 1 ? this.#held(this.chosen[0]!) : undefined
  }

  #others(number: number): readonly Laid[] {
    return this.laid.filter(({ die }) => die !== number)
  }

  /** The faces that are still in hand, without this die. */
  #inHand(number?: number): string[] {
    const { hand } = this.situation()
    return hand.filter((die) => die.number !== number && !this.laid.some((one) => one.die === die.number)).map(({ face }) => face)
  }

  clear(): void {
    if (this.laid.length) this.voice.clear()
    this.laid = this.chosen = []
    this.replacing = this.naming = null
    this.dropHint()
  }

  /** Where to look, and which dice to take. */
  hint(placements: readonly Placement[], dice: readonly number[]): void {
    this.hinted = new Set(placements.map(({ square }) => square))
    const found = [...dice]
    for (const { face, wild } of placements) {
      const shown = wild ? WILD : face
      const die = this.situation().hand.find((one) => one.face === shown && !found.includes(one.number))
      if (die) found.push(die.number)
    }
    this.hintedDice = found
  }

  dropHint(): void {
    this.hinted = NOWHERE
    this.hintedDice = []
  }

  /** The table has moved on: what is no longer one's own to do is dropped. */
  catchUp(): void {
    const { onTurn, asked } = this.situation()
    if (asked !== this.#asked) {
      this.#asked = asked
      this.chosen = []
    }
    if (!onTurn) {
      this.laid = []
      this.replacing = this.naming = null
      this.hinted = NOWHERE
    }
    this.chosen = this.chosen.filter((number) => this.#held(number))
  }

  /** Dice that lay there before the page was loaded again, as far as they can still lie there. */
  restore(laid: readonly Laid[]): void {
    const { edition, board, onTurn } = this.situation()
    if (!onTurn || this.laid.length) return
    const fits = ({ die, square, face, wild }: Laid) =>
      board[cellOf(edition.layout, square)] === null && this.#held(die)?.face === (wild ? WILD : face)
    this.laid = laid.filter(fits).slice(0, LAY_LIMIT)
    if (this.laid.length) this.#sayJudgement()
  }

  /** One die more of several, or one less. */
  toggle(number: number): void {
    const { chosen } = this
    this.chosen = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number]
  }

  /** The die to lay next; one that lies already comes back. */
  choose(number: number): void {
    this.replacing = null
    const back = this.laid.find(({ die }) => die === number)
    if (back) return this.#takeBack(back)
    this.chosen = this.chosen[0] === number ? [] : [number]
    if (this.voice.seat !== null || this.voice.tone === 'bad') this.#sayJudgement()
    if (this.chosen.length) this.#sayDie(number)
    else announce(m.nothing_chosen())
  }

  #sayDie(number: number): void {
    const { hand } = this.situation()
    const place = hand.findIndex((die) => die.number === number)
    announce(dieText(place, hand[place]!.face, this.#inOrder(this.inviting), this.pairing.size, this.guide))
  }

  #inOrder(squares: ReadonlySet<Square>): Square[] {
    const { layout } = this.situation().edition
    return [...squares].sort((a, b) => cellOf(layout, a) - cellOf(layout, b))
  }

  /** Squares where the chosen die goes, in the order of reading: first by itself, then with a second one. */
  get fitting(): Square[] {
    return [...this.#inOrder(this.inviting), ...this.#inOrder(this.pairing)]
  }

  pickSquare(square: Square): void {
    const fresh = this.laid.find((one) => one.square === square)
    if (fresh) this.#takeBack(fresh)
    else if (this.chosen[0] !== undefined) this.put(this.chosen[0], square)
    else announce(this.next)
  }

  put(number: number, square: Square): void {
    const { edition, board } = this.situation()
    const die = this.#held(number)
    if (!die) return
    const lying = board[cellOf(edition.layout, square)]
    if (lying) return this.#putOn(lying, die, square)
    const others = this.laid.filter((one) => one.die !== number && one.square !== square)
    if (others.length >= LAY_LIMIT) return this.voice.say(m.refused_too_many_dice(), 'bad')
    if (die.face !== WILD) return this.#lay(others, { square, face: die.face, wild: false, die: number })
    const faces = wildFaces(edition, board, others, square, this.#inHand(number))
    if (!faces.now.length && !faces.later.length) return this.voice.say(m.wild_leads_nowhere({ square }), 'bad')
    this.laid = others
    if (faces.now.length === 1) {
      const named = { square, face: faces.now[0]!, wild: true, die: number }
      announce(`${placedText([named])}.`)
      this.#lay(others, named)
    } else this.naming = { die: number, square, ...faces }
  }

  nameWild(face: string): void {
    if (this.naming) this.#lay(this.laid, { die: this.naming.die, square: this.naming.square, face, wild: true })
    this.naming = null
  }

  takeBackLast(): void {
    const last = this.laid.at(-1)
    if (last) this.#takeBack(last)
  }

  /** It is in hand again, to be put elsewhere. */
  #takeBack(one: Laid): void {
    this.laid = this.laid.filter((other) => other !== one)
    this.chosen = [one.die]
    announce(m.taken_back({ square: one.square, die: describe(one.wild ? WILD : one.face) }))
    this.#sayJudgement()
  }

  /** A die goes where one lies: only in place of a wild that stands for what it shows. */
  #putOn(lying: Die, die: Die, square: Square): void {
    if (!lying.wild) this.voice.say(m.refused_occupied(), 'bad')
    else if (lying.face !== die.face) this.voice.say(m.refused_not_the_named_face({ named: describe(lying.face) }), 'bad')
    else if (this.laid.length) this.voice.say(m.replace_first(), 'bad')
    else {
      this.replacing = { die: die.number, square }
      announce(this.guide)
    }
  }

  #lay(others: readonly Laid[], placement: Laid): void {
    this.laid = [...others, placement]
    this.chosen = []
    this.replacing = null
    this.dropHint()
    this.#sayJudgement()
  }

  /** What the dice that are laid make, or what is wrong with them. */
  get outcome(): string {
    const { sets, bonus, problems } = this.judgement
    if (!this.laid.length) return ''
    if (problems[0]) return this.#seconds.length ? m.second_die() : problemText(problems[0])
    const bonusText = bonus ? [m.bonus({ count: bonus })] : []
    return [m.sets_made({ count: sets.length }), ...bonusText, m.points({ count: this.points })].join(' · ')
  }

  /** For whoever pressed what does nothing now: what would. */
  get next(): string {
    return this.guide || this.outcome
  }

  #sayJudgement(): void {
    if (this.laid.length) this.voice.say(this.outcome, this.ready ? 'good' : '')
    else this.voice.clear()
  }
}

export function problemText(problem: Problem): string {
  if (problem.code === 'too_many_dice') return m.refused_too_many_dice()
  if (problem.code === 'wild_not_named') return m.refused_wild_not_named()
  if (problem.own.length) return m.own_dice_only({ squares: problem.own.join('-') })
  const broken = problem.near.find(({ why }) => !why.isSet)
  return broken
    ? m.run_is_no_set({ squares: broken.squares.join('-'), why: whyNot(broken.why) })
    : m.not_in_a_set_yet({ square: problem.square })
}
