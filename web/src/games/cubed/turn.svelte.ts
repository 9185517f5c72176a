/** The own turn before it is confirmed: the dice that are chosen and laid, what they score and what is wrong with them. */

import type { Edition } from '../../editions/editions'
import { WILD } from '../../sets'
import { cellOf, squareOf, type Square } from '../../editions/squares'
import { facesForWild, judge, LAY_LIMIT, squaresFor, type Judgement, type Problem } from './turns'
import { m } from '../../language.svelte'
import type { CubedState, Die, CubedPlacement as Placement } from '../../protocol'
import { describe, whyNot } from '../../words'
import type { Lying } from './Board.svelte'
import type { Voice } from '../../table/voice.svelte'

type Laid = Placement & { die: number }
type DieOnSquare = { die: number; square: Square }

/** What the turn needs to know of the table, now. */
interface Situation {
  edition: Edition
  board: CubedState['board']
  hand: readonly Die[]
  onTurn: boolean
}

export class Turn {
  laid = $state.raw<readonly Laid[]>([])
  /** The numbers of dice to lay, to show or to throw again. */
  chosen = $state.raw<readonly number[]>([])
  /** A die that is to take the place of a wild. */
  replacing = $state.raw<DieOnSquare | null>(null)
  /** A wild whose face is asked for. */
  naming = $state.raw<DieOnSquare | null>(null)
  hinted = $state.raw<ReadonlySet<Square>>(new Set())

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
  readonly lit = $derived(new Set([...this.judgement.sets.flatMap(({ squares }) => squares), ...this.hinted]))
  readonly wrong = $derived(
    new Set(this.judgement.problems.flatMap((problem) => ('square' in problem ? [problem.square] : []))),
  )
  readonly inviting: ReadonlySet<Square> = $derived.by(() => {
    const { edition, board, onTurn } = this.situation()
    const die = onTurn && this.chosen.length === 1 ? this.#held(this.chosen[0]!) : undefined
    return die ? squaresFor(edition, board, this.laid, die.face) : new Set()
  })

  constructor(
    readonly situation: () => Situation,
    readonly voice: Pick<Voice, 'say' | 'clear'>,
  ) {}

  #held(number: number): Die | undefined {
    return this.situation().hand.find((die) => die.number === number)
  }

  clear(): void {
    if (this.laid.length) this.voice.clear()
    this.laid = this.chosen = []
    this.replacing = this.naming = null
    this.hinted = new Set()
  }

  /** The table has moved on: what is no longer one's own to do is dropped. */
  catchUp(): void {
    if (!this.situation().onTurn) {
      this.laid = []
      this.replacing = this.naming = null
    }
    this.chosen = this.chosen.filter((number) => this.#held(number))
  }

  /** One die more of several, or one less. */
  toggle(number: number): void {
    const { chosen } = this
    this.chosen = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number]
  }

  /** The die to lay next; one that lies already comes back. */
  choose(number: number): void {
    this.replacing = null
    const back = this.laid.some(({ die }) => die === number)
    if (back) this.laid = this.laid.filter(({ die }) => die !== number)
    this.chosen = this.chosen[0] === number && !back ? [] : [number]
  }

  pickSquare(square: Square): void {
    const fresh = this.laid.find((one) => one.square === square)
    if (fresh) {
      this.laid = this.laid.filter((one) => one !== fresh)
      this.chosen = [fresh.die]
    } else if (this.chosen[0] !== undefined) this.put(this.chosen[0], square)
  }

  put(number: number, square: Square): void {
    const { edition, board } = this.situation()
    const die = this.#held(number)
    if (!die) return
    const lying = board[cellOf(edition.layout, square)]
    if (lying) {
      if (!lying.wild || this.laid.length) this.voice.say(m.refused_occupied(), 'bad')
      else if (lying.face === die.face) this.replacing = { die: number, square }
      else this.voice.say(m.refused_not_the_named_face({ named: describe(lying.face) }), 'bad')
      return
    }
    const others = this.laid.filter((one) => one.die !== number && one.square !== square)
    if (others.length >= LAY_LIMIT) this.voice.say(m.refused_too_many_dice(), 'bad')
    else if (die.face !== WILD) this.#lay(others, { square, face: die.face, wild: false, die: number })
    else {
      this.laid = others
      const fitting = facesForWild(edition, board, others, square)
      if (fitting.length === 1) this.#lay(others, { square, face: fitting[0]!, wild: true, die: number })
      else this.naming = { die: number, square }
    }
  }

  nameWild(face: string): void {
    if (this.naming) this.#lay(this.laid, { ...this.naming, face, wild: true })
    this.naming = null
  }

  takeBackLast(): void {
    this.laid = this.laid.slice(0, -1)
    this.#sayJudgement()
  }

  #lay(others: readonly Laid[], placement: Laid): void {
    this.laid = [...others, placement]
    this.chosen = []
    this.replacing = null
    this.hinted = new Set()
    this.#sayJudgement()
  }

  #sayJudgement(): void {
    const { sets, bonus, problems } = this.judgement
    if (problems[0]) this.voice.say(problemText(problems[0]))
    else if (!this.laid.length) this.voice.clear()
    else {
      const bonusText = bonus ? [m.bonus({ count: bonus })] : []
      const parts = [m.sets_made({ count: sets.length }), ...bonusText, m.points({ count: this.points })]
      this.voice.say(parts.join(' · '), 'good')
    }
  }
}

export function problemText(problem: Problem): string {
  if (problem.code === 'too_many_dice') return m.refused_too_many_dice()
  if (problem.code === 'wild_not_named') return m.refused_wild_not_named()
  const broken = problem.near.find(({ why }) => !why.isSet)
  return broken
    ? m.run_is_no_set({ squares: broken.squares.join('-'), why: whyNot(broken.why) })
    : m.not_in_a_set_yet({ square: problem.square })
}
