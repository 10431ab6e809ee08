import { Table } from './changes.js';
import { emptyPosition, isOpen } from './impact.js';
import { type Micros, ZERO } from './money.js';
import type { Bet, Position } from './records.js';

const positionKey = (userId: bigint, wagerId: bigint): string => `${userId} ${wagerId}`;

const keyOf = ({ userId, wagerId }: Position): string => positionKey(userId, wagerId);
const copyOf = (position: Position): Position => ({ ...position });

/** The positions of a Book. One is not stored while it is empty or the user's lone offer, and has no matched bet yet. */
export class Positions extends Table<string, Position> {
  constructor() {
    super(keyOf, copyOf);
  }

  of(userId: bigint, wagerId: bigint): Position | undefined {
    return this.get(positionKey(userId, wagerId));
  }

  /** States that the user's position in the wager is not stored, and is empty, unless it is loaded already. */
  loadEmpty(userId: bigint, wagerId: bigint): void {
    // Mostly it is: then no object is made.
    if (this.of(userId, wagerId) === undefined) this.loadUnstored(emptyPosition(userId, wagerId));
  }

  /** States that the user's position in the wager is not stored, because it is this offer alone. */
  loadLoneOffer({ userId, wagerId, offered }: Pick<Position, 'userId' | 'wagerId' | 'offered'>): void {
    this.loadUnstored(emptyPosition(userId, wagerId, offered));
  }

  /** Of the inserted ones, all but those that are empty or a lone offer and have no matched bet. `bets`: all of the Book. */
  toInsert(bets: Iterable<Bet>): Position[] {
    const positions = [...this.inserted];
    if (positions.length === 0) return positions;
    const offers = new Map<string, Micros>();
    const matched = new Set<string>();
    for (const bet of bets) {
      const own = positionKey(bet.requestingUserId, bet.wagerId);
      if (bet.acceptingUserId !== null) matched.add(own).add(positionKey(bet.acceptingUserId, bet.wagerId));
      else if (isOpen(bet)) offers.set(own, bet.requestingAmount);
    }
    return positions.filter(({ userId, wagerId, offered }) => {
      const key = positionKey(userId, wagerId);
      // Amounts are positive: an offer that is all that its user offers is the only one.
      return matched.has(key) || (offered !== ZERO && offered !== offers.get(key));
    });
  }
}
