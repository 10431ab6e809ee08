import type { Book } from '#core/book.js';
import type { Needs, UserIdentifier } from '#core/needs.js';
import type { LoadedBet } from './loaded-rows.js';

export interface BusyWager {
  readonly accountId: bigint;
  /** Null: another transaction is creating it. */
  readonly id: bigint | null;
  readonly reference: string;
  readonly betId: bigint | null;
}

/** Rows and names that other transactions hold, and which tasks must therefore be set aside. */
export class BusyRows {
  readonly #wagerIds = new Set<bigint>();
  readonly #wagerNames = new Set<string>();
  readonly #bets = new Set<string>();
  readonly #users = new Set<string>();
  #isEmpty = true;

  addWager({ accountId, id, reference, betId }: BusyWager): void {
    this.#isEmpty = false;
    this.#wagerNames.add(`${accountId} ${reference}`);
    if (id !== null) this.#wagerIds.add(id);
    if (betId !== null) this.#bets.add(`${accountId} ${betId}`);
  }

  /** A busy user also makes every wager busy of which a loaded bet is the user's: a task on it may move the user. */
  addUser({ accountId, id }: { readonly accountId: bigint; readonly id: bigint }, loaded: readonly LoadedBet[]): void {
    this.#isEmpty = false;
    this.#users.add(`${accountId} ${id}`);
    for (const { bet } of loaded) {
      if (bet.requestingUserId === id || bet.acceptingUserId === id) this.#wagerIds.add(bet.wagerId);
    }
  }

  /** Whether the account's needs touch a busy row. */
  block(accountId: bigint, { users, wagers, betIds }: Needs, book: Book): boolean {
    if (this.#isEmpty) return false;
    const isBusyUser = (user: UserIdentifier) => {
      const id = user.id ?? book.userIdOf(user);
      return typeof id === 'bigint' && this.#users.has(`${accountId} ${id}`);
    };
    const isBusyWager = (id: bigint | undefined) => id !== undefined && this.#wagerIds.has(id);
    return (
      users.some(isBusyUser) ||
      betIds.some((id) => this.#bets.has(`${accountId} ${id}`) || isBusyWager(book.bets.get(id)?.wagerId)) ||
      wagers.some((wager) =>
        'id' in wager
          ? isBusyWager(wager.id)
          : this.#wagerNames.has(`${accountId} ${wager.reference}`) ||
            isBusyWager(book.wagerNamed(wager.reference)?.id),
      )
    );
  }
}
