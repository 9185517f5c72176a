/** The review of the dice game. */

import { m } from '../../../language.svelte'
import type { CubedEvent, CubedReview, CubedState } from '../../../protocol'
import { asReview } from '../../module'
import Practise from './Practise.svelte'
import Stage from './Stage.svelte'
import { questionsOf, tell } from './telling'

export default asReview<CubedReview, CubedState, CubedEvent>({
  tell,
  depth: ({ games }) => m.review_games({ count: games }),
  Stage,
  questions: questionsOf,
  Practise,
})
