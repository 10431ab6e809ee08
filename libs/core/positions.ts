import { Table } from './changes.js';
import { emptyPosition, isOpen } from './impact.js';
import { type Micros, ZERO } from './money.js';
import type { Bet, Position } from './records.js';

const keyOf = (userId: bigint, wagerId: bigint): string => `${userId} ${wagerId}`;

/** The positions of a Book. A user's position in a wager is not stored while it is empty, or the user's lone offer. */
export class Positions extends Table<string, Position> {
  constructor() {
    super(
      ({ userId, wagerId }) => keyOf(userId, wagerId),
      (position) => ({ ...position }),
    );
  }

  of(userId: bigint, wagerId: bigint): Position | undefined {
    return this.get(keyOf(userId, wagerId));
  }

  /** States that the user's position in the wager is not stored, and is empty, unless it is loaded already. */
  loadEmpty(userId: bigint, wagerId: bigint): void {
    if (this.of(userId, wagerId) === undefined) this.loadUnstored(emptyPosition(userId, wagerId));
  }

  /** States that the user's position in the wager is not stored, because it is this offer alone. */
  loadLoneOffer({ userId, wagerId, offered }: Pick<Position, 'userId' | 'wagerId' | 'offered'>): void {
    this.loadUnstored({ userId, wagerId, win: ZERO, loss: ZERO, offered });
  }

  /** Of those that are not stored: the ones that must be now, given the Book's bets. A position with a matched bet stays stored. */
  toInsert(bets: Iterable<Bet>): Position[] {
    const positions = [...this.inserted];
    if (positions.length === 0) return positions;
    const offers = new Map<string, Micros>();
    const matched = new Set<string>();
    for (const bet of bets) {
      const own = keyOf(bet.requestingUserId, bet.wagerId);
      if (bet.acceptingUserId !== null) matched.add(own).add(keyOf(bet.acceptingUserId, bet.wagerId));
      else if (isOpen(bet)) offers.set(own, bet.requestingAmount);
    }
    return positions.filter(({ userId, wagerId, offered }) => {
      const key = keyOf(userId, wagerId);
      // Amounts are positive: an offer that is all that its user offers is the only one.
      return matched.has(key) || (offered !== ZERO && offered !== offers.get(key));
    });
  }
}
