/** The review of the card game. */

import type { CardEvent, CardReview, CardState } from '../../../protocol'
import { asReview } from '../../module'
import More from './More.svelte'
import Practise from './Practise.svelte'
import Stage from './Stage.svelte'
import { questionsOf, tell } from './telling'

export default asReview<CardReview, CardState, CardEvent>({ tell, Stage, More, questions: questionsOf, Practise })
