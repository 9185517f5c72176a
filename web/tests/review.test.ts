import { flushSync, mount, unmount } from 'svelte'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { choiceOf, nameOf, numbersOf, pictureOf, readChoice, signsOf } from '../src/games/cubed/review/choice'
import { isRight, questionsOf as diceQuestions, tell as tellDice, type CubedStory } from '../src/games/cubed/review/telling'
import { start } from '../src/games/cubed/rules'
import Practise from '../src/games/set/review/Practise.svelte'
import { livesBefore, rangeOf, usualSeconds, type CardStory } from '../src/games/set/review/review'
import { isSetText, questionsOf as cardQuestions, tell as tellCards, timeText } from '../src/games/set/review/telling'
import { speak, speakOf } from '../src/language.svelte'
import { addQuestions, allQuestions, answerQuestion, dropQuestion, dueQuestions } from '../src/learn/spaced'
import type { CardReview, CardReviewLife, CubedReview, CubedReviewChoice, CubedState, Die } from '../src/protocol'

const DAY = 86_400_000

beforeAll(async () => {
  await speak('en')
  await Promise.all(['set', 'cubed', 'after', 'review'].map(speakOf))
})

describe('questions come back', () => {
  beforeEach(() => localStorage.clear())
  const ask = (...ids: string[]) => addQuestions('set', ids.map((id) => ({ id, asks: { id } })), 1000)

  test('at once, and each mistake once', () => {
    expect(ask('a', 'b')).toBe(2)
    expect(ask('b', 'c')).toBe(1)
    expect(ask('d', 'd')).toBe(1)
    expect(allQuestions().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('those that somebody wants to practise before all else that is due', () => {
    ask('a', 'b', 'known')
    answerQuestion('known', true, 1000)
    ask('c', 'b', 'known')
    expect(dueQuestions(1000).map(({ id }) => id)).toEqual(['b', 'c', 'a'])
    answerQuestion('b', false, 1000)
    expect(dueQuestions(1000).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })

  test('later and later, until it is known', () => {
    ask('a')
    let now = 1000
    const days: number[] = []
    while (allQuestions().length) {
      answerQuestion('a', true, now)
      const next = allQuestions()[0]
      if (!next) break
      days.push((next.due - now) / DAY)
      expect(dueQuestions(next.due - 1)).toEqual([])
      now = next.due
    }
    expect(days).toEqual([1, 3, 7, 16, 35])
  })

  test('soon and from the beginning, if it was not known', () => {
    ask('a', 'b')
    answerQuestion('a', true, 1000)
    answerQuestion('a', false, 1000 + DAY)
    expect(allQuestions()[0]).toMatchObject({ id: 'a', known: 0, due: 1000 + DAY })
    expect(dueQuestions(1000 + DAY).map(({ id }) => id)).toEqual(['b', 'a'])
  })

  test('the oldest make room, and what is damaged is passed over', () => {
    ask(...Array.from({ length: 130 }, (_, number) => `q${number}`))
    expect(allQuestions()).toHaveLength(120)
    expect(allQuestions()[0]!.id).toBe('q10')
    dropQuestion('q10')
    expect(allQuestions()[0]!.id).toBe('q11')
    localStorage.setItem('tercet.practice', JSON.stringify({ questions: [null, 7, { id: 'x' }, { id: 'a', game: 'set', known: 0, due: 1 }] }))
    expect(allQuestions().map(({ id }) => id)).toEqual(['a'])
    localStorage.setItem('tercet.practice', '{"questions": 3')
    expect(allQuestions()).toEqual([])
  })
})

describe('choices of the dice game', () => {
  const hand: Die[] = [
    { number: 7, face: '2RO', wild: false },
    { number: 9, face: '2RO', wild: false },
    { number: 12, face: 'W', wild: false },
  ]

  test.each([
    ['pass', { kind: 'pass' }],
    ['keep all', { kind: 'throw', faces: [] }],
    ['throw 2RO W', { kind: 'throw', faces: ['2RO', 'W'] }],
    ['replace e5 by #12', { kind: 'replace', square: 'e5', die: 12 }],
    ['*3RO@d5 3GD@aa10', { kind: 'lay', placements: [{ square: 'd5', face: '3RO', wild: true }, { square: 'aa10', face: '3GD', wild: false }] }],
  ])('%s', (text, choice) => {
    expect(readChoice(text)).toEqual(choice)
  })

  test('are the same in whatever order, and with whichever die of a face', () => {
    expect(nameOf(readChoice('3GD@e5 *3RO@d5'))).toBe(nameOf(readChoice('*3RO@d5 3GD@e5')))
    const thrown = choiceOf({ do: 'choose', seat: 0, dice: [9, 12] }, hand)
    expect(nameOf(thrown)).toBe(nameOf(readChoice('throw W 2RO')))
    const laid = choiceOf({ do: 'lay', seat: 0, placements: [{ square: 'd5', face: '2RO', wild: false, die: 7 }] }, hand)
    expect(nameOf(laid)).toBe(nameOf(readChoice('2RO@d5')))
  })

  test('each die is thrown once', () => {
    expect(numbersOf(hand, ['2RO'])).toEqual([7])
    expect(numbersOf(hand, ['W', '2RO', '2RO'])).toEqual([7, 9, 12])
    expect(signsOf(readChoice('*3RO@d5 3GD@e5'), hand)).toEqual(['*3RO', '3GD'])
    expect(signsOf(readChoice('replace e5 by #9'), hand)).toEqual(['2RO'])
  })

  test('are laid on the board with the SETs that they make', () => {
    const state: CubedState = { ...start({ edition: 'house' }, 2), hands: [hand, []] }
    const opening = pictureOf(state, { seat: 0, kind: 'opening' }, readChoice('1RO@d5 2RO@e5 3RO@f5'), 3)
    expect(opening.marks).toEqual([{ squares: ['d5', 'e5', 'f5'], points: 3, seat: 0 }])
    expect([...opening.fresh]).toEqual(['d5', 'e5', 'f5'])
    const board = [...state.board]
    board[4 * 9 + 3] = { number: 1, face: '1RO', wild: false }
    board[4 * 9 + 4] = { number: 2, face: '2RO', wild: false }
    const turn = pictureOf({ ...state, board }, { seat: 1, kind: 'turn' }, readChoice('3RO@f5'), 3)
    expect(turn.marks).toEqual([{ squares: ['d5', 'e5', 'f5'], points: 3, seat: 1 }])
    expect(turn.dice.get('f5')).toMatchObject({ face: '3RO', fresh: true })
    expect(pictureOf({ ...state, board }, { seat: 1, kind: 'turn' }, readChoice('pass'), 0).marks).toEqual([])
  })
})

describe('the review of the dice game', () => {
  const choice = (text: string, value: number, error = 0.04): CubedReviewChoice => ({ text, value, error, games: 100, points: 0 })
  const [best, near, chosen] = [choice('3RO@d5', 0.6), choice('2RO@d5', 0.59), choice('pass', 0.55)]

  test('what is as good as the best is right, and what was chosen then never is', () => {
    // The games of all choices share their luck: apart each is known less well than beside the best.
    expect([best, near, chosen].map((one) => isRight({ best, chosen, error: 1 }, one))).toEqual([true, true, false])
    expect([best, near, chosen].map((one) => isRight({ best, chosen, error: 0.2 }, one))).toEqual([true, false, false])
    // Questions that were kept before they had an error.
    expect([best, near, chosen, choice('1RO@d5', 0.5)].map((one) => isRight({ best, chosen }, one))).toEqual([true, true, false, false])
  })

  test('a question keeps how sure its decision is', () => {
    const state = { ...start({ edition: 'house' }, 2), hands: [[], []] }
    const decision = { line: 1, seat: 0, kind: 'turn', mark: 'small', loss: 5, error: 1.5, best, chosen, choices: [best, near, chosen] }
    const story = { names: ['Ada', 'Ben'], entries: [{ seq: 1 }], states: [state, state] } as unknown as CubedStory
    expect(diceQuestions({ decisions: [decision] } as unknown as CubedReview, story, 0)[0]!.asks).toMatchObject({ error: 1.5 })
  })

  test('a replaced wild tells its loss and the luck of its throw apart', () => {
    const state = { ...start({ edition: 'house' }, 2), hands: [[], []] }
    const story = { names: ['Ada', 'Ben'], entries: [{ seq: 1, event: { kind: 'replaced' } }], states: [state, state] } as unknown as CubedStory
    const decision = { line: 1, round: 4, seat: 0, kind: 'replacing', mark: 'medium', loss: 3.4, best, chosen, choices: [best, chosen] }
    const luck = { line: 1, round: 4, seat: 0, kind: 'wild', changes: [-0.036, 0.036] }
    const seat = { accuracy: 90, plays_like: [], large: 0, medium: 1, small: 0, decisions: 1, counted: 1, luck: -3.6, luck_error: 1, others_luck: 58.5, adjusted: 50, error_rate: 3.4, rate_error: 0.9 }
    const review = { seats: [seat, seat], result: [3, 4], moments: [{ line: 1, round: 4, chances: [0.5, 0.5] }], decisions: [decision], luck: [luck] }
    const { summary, stops, measures } = tellDice(review as unknown as CubedReview, story, 0)
    expect(summary).toContain('The dice of the others changed the chance to win by +58.5%.')
    expect(stops.map(({ title }) => title)).toEqual(['Something better was there: −3.4% · Luck: −3.6%'])
    expect(measures.flatMap(({ values }) => values)).toContain('\u2066−3.4%\u00a0±\u00a00.9%\u2069')
  })

  test('luck is certain from two standard errors on', () => {
    const story = { names: ['Ada'], entries: [], states: [] } as unknown as CubedStory
    const told = (luck: number) => {
      const seat = { accuracy: null, plays_like: [], large: 0, medium: 0, small: 0, decisions: 1, counted: 1, luck, luck_error: 5, adjusted: 50 }
      return tellDice({ seats: [seat], result: [3], moments: [], decisions: [], luck: [] } as unknown as CubedReview, story, 0).summary[1]
    }
    const even = (luck: number) => told(luck)?.replace(/[+−\d.]+%/g, '') === told(0)?.replace(/[+−\d.]+%/g, '')
    expect([5.1, -10, 10.1, -10.1].map(even)).toEqual([true, true, false, false])
  })
})

describe('the review of the card game', () => {
  const life = (expected: (number | null)[]) =>
    ({ cards: ['1RO', '2RO', '3RO'], looked: [4, 4], expected, until: 2, went: 'taken', by: 1, missed: [], quick: false }) as unknown as CardReviewLife

  test('of a bot that held back no usual time is told', () => {
    const [person, gentle] = [[5, 5], [5, null]].map(life) as [CardReviewLife, CardReviewLife]
    expect([timeText(person, 1, true), timeText(person, 1, false)]).toEqual(['in view for 4\u00a0s, usually takes 5\u00a0s', 'usually takes 5\u00a0s'])
    expect([timeText(gentle, 1, true), timeText(gentle, 1, false)]).toEqual(['in view for 4\u00a0s', ''])
    expect([isSetText(person, 1), isSetText(gentle, 1)]).toEqual(['That is a SET. Usual time for it: 5\u00a0s.', 'It is a SET!'])
    const story = {
      names: ['Ada', 'Casual'],
      entries: [{ seq: 2, at: 4000, event: { kind: 'took', seat: 1, cards: [] } }],
      states: [{ scores: [0, 0] }, { scores: [0, 1] }],
      words: () => ({ text: 'Casual takes a SET.', signs: [] }),
    } as unknown as CardStory
    const seat = { found: 0, looked: 4, speed: null, waited: true, strengths: [], pace: [] }
    const review = { seats: [seat, seat], lives: [gentle], wrong: [], false_none: [], scores: [], result: [0, 1], milliseconds: 5000 }
    expect(tellCards(review as unknown as CardReview, story, 0).stops.map(({ title }) => title)).toEqual(['Casual takes a SET.'])
  })

  test('a SET that was denied and missed on one table is asked once', () => {
    const state = { table: ['1RO', '2RO', '3RO'], last: [], options: { variant: 'classic', only: null } }
    const story = { entries: [{ seq: 1 }, { seq: 2 }], states: [state, state, state] } as unknown as CardStory
    const lives = [{ ...life([2, 5]), missed: [0] }]
    const review = { lives, false_none: [{ seat: 0, line: 1, easiest: lives[0]!.cards }], wrong: [] }
    expect(cardQuestions(review as unknown as CardReview, story, 0)).toHaveLength(1)
  })

  test('a speed becomes seconds, and a faster player needs fewer', () => {
    const [likely, low, high] = usualSeconds({ lives: [] } as unknown as CardReview, { log: 0, deviation: 0.1 })
    expect(likely).toBeCloseTo(5.25, 2)
    expect(low).toBeLessThan(likely)
    expect(high).toBeGreaterThan(likely)
    expect(usualSeconds({ lives: [] } as unknown as CardReview, { log: Math.log(2), deviation: 0 })[0]).toBeCloseTo(likely / 2)
    // Where four cards are looked for, what lay there says what is usual.
    const lives = [10, 40, 20].map((difficulty) => ({ cards: ['', '', '', ''], difficulty }))
    expect(usualSeconds({ lives } as unknown as CardReview, { log: 0, deviation: 0 })[0]).toBeCloseTo(20)
    expect(rangeOf({ log: Math.log(1.6), deviation: 0.1 }).map((one) => one.toFixed(2))).toEqual(['1.60', '1.32', '1.95'])
  })

  test('in a chain a card of the last SET is picked, as at the table', () => {
    const asks = {
      kind: 'find',
      table: ['2RFO', '3RFO', '2GES', '3PHD', '1GFD', '1PFD'],
      last: ['1RFO', '1RFS', '1RFD'],
      group: ['1RFO', '2RFO', '3RFO'],
      options: { variant: 'chain', only: null },
    }
    const answers: boolean[] = []
    const practise = mount(Practise, { target: document.body, props: { asks, answered: (right: boolean) => void answers.push(right) } })
    const said = () => document.querySelector('.message')!.textContent
    const pick = (...cards: string[]) => {
      for (const card of cards) document.querySelector<HTMLElement>(`[data-card="${card}"]`)!.click()
      flushSync()
    }
    pick('2RFO', '3RFO')
    expect([answers, said()]).toEqual([[], ''])
    pick('2RFO', '3RFO', ...asks.last)
    expect(said()).toContain('not with the SET taken last')
    pick('1RFD', '1GFD', '1PFD')
    expect(said()).toContain('another')
    pick('1RFO', '3RFO', '2RFO')
    expect([answers, said()]).toEqual([[true], 'Yes, this one!'])
    void unmount(practise)
  })

  test('a SET lies there from after the line with which it came up to the one with which it goes', () => {
    const review = { lives: [{ since: 3, until: 5 }] } as unknown as CardReview
    expect([3, 4, 5, 6].map((line) => livesBefore(review, line).length)).toEqual([0, 1, 1, 0])
  })
})
