import type { GameInfo } from './protocol'

/** The games' names, which are the same in every language. */
export const gameTitle = (game: GameInfo['name']): string => (game === 'set' ? 'Set' : 'Set Cubed')
