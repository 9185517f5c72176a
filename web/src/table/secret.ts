/** This client's secret: its part of the luck of a game (F1). */

import { canonical, commitSecret, newSecret, type Terms } from '../fairness'
import { keepPromise, promiseOf } from '../promises'
import type { Table, TableCommand } from '../protocol'

/** Commits to a secret, and reveals it when all have committed, without a click. */
export class Secret {
  /** For which commitment of the table this client has committed, and to what; and for which it has revealed. */
  #committed = { to: '', commitment: '', secret: '' }
  #revealed = ''

  constructor(readonly manage: (command: TableCommand) => void) {}

  /** What the table asks for now of whoever sits on that seat; those without one keep what is promised. */
  takePart(table: Table, seat: number | null): void {
    const { start, commitment: to } = table
    if (!start) return
    const terms = { game: table.game, options: canonical(table.options), table: table.code, number: table.number }
    if (start.stage === 'revealing') this.#reveal(table, terms, seat)
    else if (seat !== null && !start.commitments[seat] && this.#committed.to !== to) {
      const secret = newSecret()
      const commitment = commitSecret(secret, terms)
      this.#committed = { to, commitment, secret }
      // A page that is loaded again in the middle of a start finds its secret there.
      keepPromise({ terms, commitment: to, commitments: [commitment], called_off: table.called_off, seat, secret })
      this.manage({ do: 'commit', to, commitment })
    }
  }

  #reveal(table: Table, terms: Terms, seat: number | null): void {
    const { commitments } = table.start!
    const to = table.commitment
    const whole = table.seats.every(({ person }, place) => person === null || /^[0-9a-f]{64}$/.test(commitments[place] ?? ''))
    if (this.#revealed === to || !whole) return
    this.#revealed = to
    const before = promiseOf(terms)
    const known = this.#committed.to === to ? this.#committed.secret : before?.commitment === to ? before.secret : ''
    // Another tab may have been first: then it knows the secret, and reveals it.
    const isMine = seat !== null && known !== '' && commitSecret(known, terms) === commitments[seat]
    const secret = isMine ? known : ''
    if (!isMine && before?.commitment === to && before.secret) return
    keepPromise({ terms, commitment: to, commitments, called_off: table.called_off, seat, secret })
    if (isMine) this.manage({ do: 'reveal', to, secret })
  }
}
