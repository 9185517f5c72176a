/** What only the account page asks of the server. */

import { ask } from '../api'
import { to } from '../base'
import type { Credentials, Me, NewPassword, NewToken, Token } from '../protocol'

export const EXPORT_ADDRESS = to('/api/me/export')

export const register = (credentials: Credentials): Promise<Me> => ask('POST', '/account', credentials)
export const logIn = (credentials: Credentials): Promise<Me> => ask('POST', '/login', credentials)
export const changePassword = (passwords: NewPassword): Promise<Me> => ask('PATCH', '/account', passwords)
export const logOut = (everywhere: boolean): Promise<Me> => ask('DELETE', everywhere ? '/sessions' : '/session')
/** From now on, and for good, the account is a bot's. */
export const becomeBot = (): Promise<Me> => ask('POST', '/account/bot')
export const forgetMe = (): Promise<Me> => ask('DELETE', '/me')

export const myTokens = (): Promise<Token[]> => ask('GET', '/tokens')
export const newToken = (token: NewToken): Promise<Token> => ask('POST', '/tokens', token)
export const revokeToken = (id: string): Promise<Token[]> => ask('DELETE', `/tokens/${encodeURIComponent(id)}`)
