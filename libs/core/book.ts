import { isPending } from './bet-state.js';
import type { Impact } from './impact.js';
import { asMicros } from './money.js';
import type { UserIdentifier } from './needs.js';
import { type Coverage, EVERYONE, type OfferScope, Offers } from './offers.js';
import type { Outcome } from './outcome.js';
import { emptyPosition, exposureOf } from './position.js';
import type { Bet, Position, TrailEntry, Transaction, User, Wager } from './records.js';
import { Table } from './table.js';

export interface BookOptions {
  readonly account: { readonly id: bigint; readonly allowNegativeBalance: boolean };
  /** Ids that the shell reserved (as many as the operations' needs say): answers, texts and the queue go by them. */
  readonly nextBetId: () => bigint;
  readonly nextWagerId: () => bigint;
}

/** What the shell has to write. Trails and transactions stand in the order in which they arose. */
export interface Changes {
  readonly insertedWagers: readonly Wager[];
  readonly updatedWagers: readonly Wager[];
  readonly insertedBets: readonly Bet[];
  readonly updatedBets: readonly Bet[];
  /** Their balance and exposure. */
  readonly users: readonly User[];
  /** Some are not stored yet. */
  readonly positions: readonly Position[];
  readonly trails: readonly TrailEntry[];
  readonly transactions: readonly Transaction[];
}

/** Work for later, that has to be written down with the change which calls for it. */
export interface FollowUp {
  readonly kind: 'settle-wager' | 'check-portfolios';
  readonly wagerId: bigint;
}

const positionKey = (userId: bigint, wagerId: bigint): string => `${userId} ${wagerId}`;

/**
 * The slice of one account's ledger that some operations need, in memory. The shell loads it, runs operations on it,
 * and writes `changes()`. Everything that changes it happens inside an `attempt`, which leaves no trace when it fails.
 */
export class Book {
  readonly account: BookOptions['account'];
  readonly users = new Table<bigint, User>((user) => user.id);
  readonly wagers = new Table<bigint, Wager>((wager) => wager.id);
  readonly bets = new Table<bigint, Bet>((bet) => bet.id);
  readonly positions = new Table<string, Position>(({ userId, wagerId }) => positionKey(userId, wagerId));
  readonly #trails: TrailEntry[] = [];
  readonly #transactions: Transaction[] = [];
  readonly #followUps: FollowUp[] = [];
  readonly #userNames = new Map<string, bigint>();
  readonly #knownUserIds = new Set<bigint>();
  readonly #wagerNames = new Map<string, Wager>();
  /** Made here: nothing of them was stored. */
  readonly #newWagerIds = new Set<bigint>();
  readonly #offers = new Map<bigint, Offers>();
  /** By wager and outcome: how many bets would move under that outcome and are not loaded. */
  readonly #unloadedPending = new Map<bigint, Map<Outcome, number>>();
  readonly #options: BookOptions;
  /** Ids that undone attempts drew: the next ones take them, so nobody draws more than was reserved. */
  readonly #spareIds = { bets: [] as bigint[], wagers: [] as bigint[] };
  #isAttempting = false;

  constructor(options: BookOptions) {
    this.account = options.account;
    this.#options = options;
  }

  // Loading. What is here already is left as it is, so slices may overlap and may come between two operations.

  loadUser(user: User): void {
    this.users.load(user);
    this.nameUser(user);
  }

  /** A user that exists, without its money: enough for an allow-list. */
  nameUser({ id, reference }: Pick<User, 'id' | 'reference'>): void {
    this.#userNames.set(reference, id);
    this.#knownUserIds.add(id);
  }

  loadWager(wager: Wager): void {
    if (this.wagers.load(wager)) this.#openWager(wager);
  }

  loadPosition(position: Position): void {
    this.positions.load(position);
  }

  /** After its wager. */
  loadBet(bet: Bet): void {
    if (!this.bets.load(bet)) return;
    this.offersOf(bet.wagerId).place(bet);
    const counts = this.#unloadedPending.get(bet.wagerId);
    for (const [outcome, count] of counts ?? []) if (isPending(bet, outcome)) counts?.set(outcome, count - 1);
  }

  /** Tells that every open offer of the scope up to that place is loaded. */
  cover(wagerId: bigint, scope: OfferScope, coverage: Coverage): void {
    this.offersOf(wagerId).cover(scope, coverage);
  }

  /** Tells how many stored bets of the wager, loaded or not, are pending for the outcome. Before the first operation. */
  countPending(wagerId: bigint, outcome: Outcome, total: number): void {
    const counts = this.#unloadedPending.get(wagerId) ?? new Map<Outcome, number>();
    this.#unloadedPending.set(wagerId, counts);
    const loaded = [...this.offersOf(wagerId).bets].filter((bet) => isPending(bet, outcome)).length;
    if (!counts.has(outcome)) counts.set(outcome, total - loaded);
  }

  // Reading.

  /** Undefined: no such user. Both given and not the same: 'differ'. Assumes that one of them is given. */
  userIdOf({ id, reference }: UserIdentifier): bigint | undefined | 'differ' {
    const named = reference === undefined ? undefined : this.#userNames.get(reference);
    if (id === undefined) return named;
    if (!this.#knownUserIds.has(id) || (reference !== undefined && named === undefined)) return undefined;
    return reference === undefined || named === id ? id : 'differ';
  }

  user(id: bigint): User {
    const user = this.users.get(id);
    if (user === undefined) throw new Error(`user ${id} is not in the book`);
    return user;
  }

  wager(id: bigint): Wager {
    const wager = this.wagers.get(id);
    if (wager === undefined) throw new Error(`wager ${id} is not in the book`);
    return wager;
  }

  /** Whether the user's position in the wager is here, or is empty for certain because the wager is new. */
  holdsPosition(userId: bigint, wagerId: bigint): boolean {
    return this.positions.get(positionKey(userId, wagerId)) !== undefined || this.#isNew(wagerId);
  }

  wagerNamed(reference: string): Wager | undefined {
    return this.#wagerNames.get(reference);
  }

  offersOf(wagerId: bigint): Offers {
    const offers = this.#offers.get(wagerId);
    if (offers === undefined) throw new Error(`wager ${wagerId} is not in the book`);
    return offers;
  }

  unloadedPending(wagerId: bigint, outcome: Outcome): number {
    if (this.#isNew(wagerId)) return 0;
    const count = this.#unloadedPending.get(wagerId)?.get(outcome);
    if (count === undefined) throw new Error(`pending bets of wager ${wagerId} for ${outcome} were not counted`);
    return count;
  }

  /**
   * Takes out the steps of bets, for a writer that works while more is decided; `changes()` has the rest at the end. A
   * row that changes again is written again. Between two attempts.
   */
  takeSteps(): Changes {
    return {
      insertedWagers: this.wagers.takeInserted(),
      updatedWagers: [],
      insertedBets: this.bets.takeInserted(),
      updatedBets: this.bets.takeUpdated(),
      users: [],
      positions: [],
      trails: this.#trails.splice(0),
      transactions: this.#transactions.splice(0),
    };
  }

  /** How many steps wait to be written. */
  get stepCount(): number {
    return this.#trails.length;
  }

  /** What the operations so far call for. */
  get followUps(): readonly FollowUp[] {
    return this.#followUps;
  }

  changes(): Changes {
    return {
      insertedWagers: [...this.wagers.inserted],
      updatedWagers: [...this.wagers.updated],
      insertedBets: [...this.bets.inserted],
      updatedBets: [...this.bets.updated],
      users: [...this.users.updated],
      positions: [...this.positions.inserted, ...this.positions.updated],
      trails: this.#trails,
      transactions: this.#transactions,
    };
  }

  // Changing.

  /** Runs `decide`; when it fails, by its result or by throwing, the Book is again exactly as it was. */
  attempt<Result>(decide: () => Result, isFailure: (result: Result) => boolean): Result {
    if (this.#isAttempting) throw new Error('attempts do not nest');
    this.#isAttempting = true;
    const lists = [this.#trails, this.#transactions, this.#followUps].map((list) => ({ list, length: list.length }));
    let isDone = false;
    try {
      const result = decide();
      isDone = !isFailure(result);
      return result;
    } finally {
      if (isDone) {
        for (const table of [this.users, this.wagers, this.bets, this.positions]) table.keep();
      } else {
        this.#undo();
        for (const { list, length } of lists) list.length = length;
      }
      this.#isAttempting = false;
    }
  }

  createWager(reference: string): Wager {
    const wager: Wager = {
      id: this.#spareIds.wagers.pop() ?? this.#options.nextWagerId(),
      reference,
      outcome: 'undecided',
      forcedBy: null,
      isSettling: false,
    };
    this.wagers.insert(wager);
    this.#newWagerIds.add(wager.id);
    this.#openWager(wager).cover(EVERYONE, 'all');
    return wager;
  }

  decideWager(wager: Wager, { outcome, forcedBy }: Pick<Wager, 'outcome' | 'forcedBy'>): void {
    if (wager.outcome === outcome && forcedBy === null) return;
    this.wagers.touch(wager);
    wager.outcome = outcome;
    wager.forcedBy = forcedBy;
  }

  markSettling(wager: Wager, isSettling: boolean): void {
    if (wager.isSettling === isSettling) return;
    this.wagers.touch(wager);
    wager.isSettling = isSettling;
  }

  nextBetId(): bigint {
    return this.#spareIds.bets.pop() ?? this.#options.nextBetId();
  }

  insertBet(bet: Bet): void {
    this.bets.insert(bet);
    this.offersOf(bet.wagerId).place(bet);
  }

  updateBet(bet: Bet, change: Partial<Bet>): void {
    this.bets.touch(bet);
    Object.assign(bet, change);
    this.offersOf(bet.wagerId).place(bet);
  }

  /** Moves one user's side of a difference of impacts. */
  move(place: { readonly userId: bigint; readonly wagerId: bigint }, difference: Impact): void {
    const user = this.user(place.userId);
    const position = this.#positionOf(place.userId, place.wagerId);
    this.users.touch(user);
    this.positions.touch(position);
    const exposureBefore = exposureOf(position);
    position.win = asMicros(position.win + difference.win);
    position.loss = asMicros(position.loss + difference.loss);
    position.offered = asMicros(position.offered + difference.offered);
    user.exposure = asMicros(user.exposure + exposureOf(position) - exposureBefore);
    user.balance = asMicros(user.balance + difference.balance);
  }

  /** Money in and out. */
  addToBalance(user: User, amount: bigint): void {
    this.users.touch(user);
    user.balance = asMicros(user.balance + amount);
  }

  addTrail(trail: TrailEntry): void {
    this.#trails.push(trail);
  }

  addTransaction(transaction: Transaction): void {
    this.#transactions.push(transaction);
  }

  followUp(work: FollowUp): void {
    this.#followUps.push(work);
  }

  #positionOf(userId: bigint, wagerId: bigint): Position {
    const position = this.positions.get(positionKey(userId, wagerId));
    if (position !== undefined) return position;
    if (!this.#isNew(wagerId)) {
      throw new Error(`the position of user ${userId} in wager ${wagerId} is not in the book`);
    }
    const created = emptyPosition(userId, wagerId);
    this.positions.insert(created);
    return created;
  }

  #isNew(wagerId: bigint): boolean {
    return this.#newWagerIds.has(wagerId);
  }

  #openWager(wager: Wager): Offers {
    const offers = new Offers();
    this.#wagerNames.set(wager.reference, wager);
    this.#offers.set(wager.id, offers);
    return offers;
  }

  /** The latest change first, so spare ids are drawn again in their order; bets before the wagers that hold them. */
  #undo(): void {
    this.bets.undo({
      onRemoved: (bet) => {
        this.offersOf(bet.wagerId).remove(bet);
        this.#spareIds.bets.push(bet.id);
      },
      onRestored: (bet) => this.offersOf(bet.wagerId).place(bet),
    });
    this.wagers.undo({
      onRemoved: (wager) => {
        this.#offers.delete(wager.id);
        this.#newWagerIds.delete(wager.id);
        this.#wagerNames.delete(wager.reference);
        this.#spareIds.wagers.push(wager.id);
      },
    });
    this.positions.undo();
    this.users.undo();
  }
}
