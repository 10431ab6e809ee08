import { changeBeside, newWager, noteEnds } from './change-wager.js';
import { type Changes, Journal, NO_CHANGES, ReservedIds, Table } from './changes.js';
import { type Decision, emptyPosition, exposureOf, type Impact, isOpen, type Unit } from './impact.js';
import { asMicros, type Micros, unitOf } from './money.js';
import type { UserIdentifier } from './needs.js';
import { type Coverage, type OfferScope, Offers, type UnloadedPending } from './offers.js';
import { Positions } from './positions.js';
import type { Bet, Moment, PendingCancel, Position, User, Wager } from './records.js';
import { Rejection, reject } from './rejection.js';

export interface BookAccount {
  readonly id: bigint;
  readonly allowNegativeBalance: boolean;
  /** How many its amounts may have; null: it set none, so 6. */
  readonly decimals: number | null;
  /** How many bets a sandbox has still room for; null: as many as come. */
  readonly betsLeft?: number | null;
}

export interface BookOptions {
  readonly account: BookAccount;
  /** Of PostgreSQL, after it had the locks of all that the operations change. */
  readonly now: Moment;
  /** Ids that the ledger reserved, as many as the operations' needs say. The queue goes by a bet's id. */
  readonly nextBetId: () => bigint;
  readonly nextWagerId: () => bigint;
}

/** The API's fields are `<field>_id` and `<field>_reference`; refusal texts name them. */
export type UserField = 'user' | 'requesting_user' | 'accepting_user';

/** The API's fields. */
export type AmountField = 'amount' | 'requesting_amount' | 'accepting_amount' | 'cancel_amount';

const idOf = ({ id }: { readonly id: bigint }): bigint => id;
const copyOfUser = (user: User): User => ({ ...user });
const copyOfWager = (wager: Wager): Wager => ({ ...wager });
const copyOfBet = (bet: Bet): Bet => ({ ...bet });

/**
 * The part of one account's ledger that some operations need, in memory. The ledger loads it, runs operations on it,
 * and writes `changes()`. Every change happens inside an `attempt`, which leaves no trace when it fails.
 */
export class Book {
  readonly account: BookAccount;
  readonly unit: Unit;
  /** A Book that outlives one transaction gets each time anew. */
  now: Moment;
  readonly users = new Table<bigint, User>(idOf, copyOfUser);
  readonly wagers = new Table<bigint, Wager>(idOf, copyOfWager);
  readonly bets = new Table<bigint, Bet>(idOf, copyOfBet);
  readonly positions = new Positions();
  readonly journal = new Journal();
  #metas = new Map<Bet, unknown>();
  readonly #userIds = new Set<bigint>();
  readonly #userIdByReference = new Map<string, bigint>();
  readonly #wagerByReference = new Map<string, Wager>();
  readonly #takenReferences = new Set<string>();
  /** By the present attempt. */
  #newlyTaken: string[] = [];
  readonly #offersByWagerId = new Map<bigint, Offers>();
  readonly #betIds: ReservedIds;
  readonly #wagerIds: ReservedIds;
  #isAttempting = false;
  #betsLeft: number;

  constructor(options: BookOptions) {
    this.account = options.account;
    this.now = options.now;
    this.#betsLeft = options.account.betsLeft ?? Number.POSITIVE_INFINITY;
    this.unit = options.account.decimals === null ? null : unitOf(options.account.decimals);
    this.#betIds = new ReservedIds(options.nextBetId);
    this.#wagerIds = new ReservedIds(options.nextWagerId);
  }

  // Loading. A record that was loaded before stays as it is, so slices may overlap and may come between two operations.

  loadUser(user: User): void {
    this.users.load(user);
    this.nameUser(user);
  }

  /** A user that exists, without its balance and exposure: enough for an allow-list. */
  nameUser({ id, reference }: Pick<User, 'id' | 'reference'>): void {
    this.#userIds.add(id);
    this.#userIdByReference.set(reference, id);
  }

  loadWager(wager: Wager): void {
    if (this.wagers.load(wager)) this.#addWager(wager, { isNew: false });
  }

  /** Its wager must be loaded before. */
  loadBet(bet: Bet): void {
    if (this.bets.load(bet)) this.offersOf(bet.wagerId).addLoaded(bet);
  }

  /** States that every open offer of the scope up to that place is loaded, but for those that are canceling. */
  cover(wagerId: bigint, scope: OfferScope, coverage: Coverage, behindCount?: number): void {
    this.offersOf(wagerId).cover(scope, coverage, behindCount);
  }

  /** Before the first operation: states how many stored bets, loaded or not, are pending under the decision. */
  countPending(wagerId: bigint, decision: Decision, total: number, isEstimate: boolean): void {
    this.offersOf(wagerId).countPending(decision, this.wager(wagerId), { total, isEstimate });
  }

  /** Before the first operation: states that no accepted bet behind this id was examined. */
  noteExamined(wagerId: bigint, upTo: bigint): void {
    this.offersOf(wagerId).examinedUpTo = upTo;
  }

  /** A movement of the account has this own reference. */
  noteTakenReference(ownReference: string): void {
    this.#takenReferences.add(ownReference);
  }

  // Reading.

  /** Undefined: no such user. `differ`: the id and the reference name two users. Assumes that one of them is given. */
  userIdOf({ id, reference }: UserIdentifier): bigint | undefined | 'differ' {
    const referencedId = reference === undefined ? undefined : this.#userIdByReference.get(reference);
    if (id === undefined) return referencedId;
    if (!this.#userIds.has(id) || (reference !== undefined && referencedId === undefined)) return undefined;
    return reference === undefined || referencedId === id ? id : 'differ';
  }

  /** The refusal of an amount with more decimals than the account's; null: it may be used. */
  refuseAmount(amount: Micros, field: AmountField): Rejection | null {
    if (this.unit === null || amount % this.unit === 0n) return null;
    return reject('too-many-decimals', field, String(this.account.decimals));
  }

  findUserId(identifier: UserIdentifier, field: UserField): bigint | Rejection {
    const isGiven = identifier.id !== undefined || identifier.reference !== undefined;
    if (!isGiven) return reject('not-defined', `${field}_id`, `${field}_reference`);
    const id = this.userIdOf(identifier);
    if (id === undefined) return reject('user-not-found');
    return id === 'differ' ? reject('users-differ', field) : id;
  }

  /** The acting user, with its balance and exposure. */
  findUser(identifier: UserIdentifier, field: UserField): User | Rejection {
    const id = this.findUserId(identifier, field);
    return id instanceof Rejection ? id : this.user(id);
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

  /** Whether the user's position in the wager is loaded, or is empty for certain because the wager is new. */
  holdsPosition(userId: bigint, wagerId: bigint): boolean {
    return this.positions.of(userId, wagerId) !== undefined || this.offersOf(wagerId).isNew;
  }

  isReferenceTaken(ownReference: string): boolean {
    return this.#takenReferences.has(ownReference);
  }

  wagerNamed(reference: string): Wager | undefined {
    return this.#wagerByReference.get(reference);
  }

  offersOf(wagerId: bigint): Offers {
    const offers = this.#offersByWagerId.get(wagerId);
    if (offers === undefined) throw new Error(`wager ${wagerId} is not in the book`);
    return offers;
  }

  /** Whether a pending cancel is still to reach the offer: for its requester and all others it is canceled already. */
  isCanceling(bet: Bet): boolean {
    return this.cancelOf(bet) !== undefined;
  }

  cancelOf(bet: Bet): PendingCancel | undefined {
    return this.offersOf(bet.wagerId).cancelOf(bet);
  }

  unloadedPending(wagerId: bigint, decision: Decision): UnloadedPending {
    return this.offersOf(wagerId).unloadedPending(decision);
  }

  /**
   * Takes out the steps of bets, so that the ledger writes them while the core decides more; `changes()` has the rest
   * at the end. A bet that changes again is written again. Call it between two attempts.
   */
  takeSteps(): Changes {
    const metas = this.#metas;
    this.#metas = new Map();
    return {
      ...NO_CHANGES,
      insertedWagers: this.wagers.takeInserted(),
      insertedBets: this.bets.takeInserted(),
      updatedBets: this.bets.takeUpdated(),
      metas,
      trails: this.journal.trails.splice(0),
      transactions: this.journal.transactions.splice(0),
    };
  }

  /** How many steps wait to be written. */
  get stepCount(): number {
    return this.journal.trails.length;
  }

  changes(): Changes {
    return {
      insertedWagers: [...this.wagers.inserted],
      updatedWagers: [...this.wagers.updated],
      insertedBets: [...this.bets.inserted],
      updatedBets: [...this.bets.updated],
      metas: this.#metas,
      users: [...this.users.updated],
      insertedPositions: this.positions.toInsert(this.bets.values()),
      updatedPositions: [...this.positions.updated],
      trails: this.journal.trails,
      transactions: this.journal.transactions,
    };
  }

  // Changing.

  /** Runs `decide`. When it fails, by its result or by throwing, the Book is again exactly as it was. */
  attempt<Result>(decide: () => Result, isFailure: (result: Result) => boolean): Result {
    if (this.#isAttempting) throw new Error('attempts do not nest');
    this.#isAttempting = true;
    const undoJournal = this.journal.undoPoint();
    const betsLeft = this.#betsLeft;
    const undoIds = [this.#betIds.undoPoint(), this.#wagerIds.undoPoint()];
    let isDone = false;
    try {
      const result = decide();
      isDone = !isFailure(result);
      return result;
    } finally {
      if (isDone) {
        for (const table of [this.users, this.wagers, this.bets, this.positions]) table.confirm();
      } else {
        this.#undo();
        undoJournal();
        this.#betsLeft = betsLeft;
        for (const undo of undoIds) undo();
      }
      this.#newlyTaken = [];
      this.#isAttempting = false;
    }
  }

  createWager(reference: string): Wager {
    const wager = newWager(this, { id: this.#wagerIds.draw(), reference });
    this.wagers.insert(wager);
    this.#addWager(wager, { isNew: true });
    this.journal.addEvent({ kind: 'wager.created', wager, facts: {} });
    return wager;
  }

  setPendingCancels(wager: Wager, pendingCancels: readonly PendingCancel[]): void {
    changeBeside(this, wager, { pendingCancels });
    this.offersOf(wager.id).setPendingCancels(pendingCancels);
  }

  /** For a bet, or for the position of a cancel. */
  nextBetId(): bigint {
    return this.#betIds.draw();
  }

  /** Every bet of the Book's wagers has a lower id, and every later one has this id or a higher one. */
  firstFreeBetId(): bigint {
    return this.#betIds.peek();
  }

  /** Of a bet that is not written yet. */
  metaOf(bet: Bet): unknown {
    return this.#metas.get(bet);
  }

  insertBet(bet: Bet, meta: unknown): void {
    if (this.#betsLeft <= 0) throw reject('sandbox-full');
    this.#betsLeft -= 1;
    this.bets.insert(bet);
    if (bet.cancelOnSuspend || bet.expiresAt !== null) noteEnds(this, this.wager(bet.wagerId), bet);
    if (meta != null) this.#metas.set(bet, meta);
    this.offersOf(bet.wagerId).update(bet);
  }

  updateBet(bet: Bet, change: Partial<Bet>): void {
    const offers = this.offersOf(bet.wagerId);
    const wasOpen = isOpen(bet);
    this.bets.touch(bet);
    Object.assign(bet, change);
    if (!wasOpen && isOpen(bet)) offers.spare(bet);
    offers.update(bet);
  }

  /** After a change of the bet in the same attempt. */
  notePaid(bet: Bet, paid: Micros): void {
    bet.paid = paid;
  }

  /** Moves one user's side of a difference of impacts. */
  move(owner: { readonly userId: bigint; readonly wagerId: bigint }, difference: Impact): void {
    const user = this.user(owner.userId);
    const position = this.#positionOf(owner.userId, owner.wagerId);
    this.users.touch(user);
    this.positions.touch(position);
    const exposureBefore = exposureOf(position);
    position.win = asMicros(position.win + difference.win);
    position.loss = asMicros(position.loss + difference.loss);
    position.offered = asMicros(position.offered + difference.offered);
    user.exposure = asMicros(user.exposure + exposureOf(position) - exposureBefore);
    user.balance = asMicros(user.balance + difference.balance);
  }

  /** For funding and withdrawals; bets move users by `move`. */
  addToBalance(user: User, amount: bigint): void {
    this.users.touch(user);
    user.balance = asMicros(user.balance + amount);
  }

  takeReference(ownReference: string): void {
    this.#takenReferences.add(ownReference);
    this.#newlyTaken.push(ownReference);
  }

  #addWager(wager: Wager, { isNew }: { readonly isNew: boolean }): void {
    const offers = new Offers({ isNew });
    offers.setPendingCancels(wager.pendingCancels);
    this.#offersByWagerId.set(wager.id, offers);
    this.#wagerByReference.set(wager.reference, wager);
  }

  #positionOf(userId: bigint, wagerId: bigint): Position {
    const position = this.positions.of(userId, wagerId);
    if (position !== undefined) return position;
    if (!this.offersOf(wagerId).isNew) {
      throw new Error(`the position of user ${userId} in wager ${wagerId} is not in the book`);
    }
    const created = emptyPosition(userId, wagerId);
    this.positions.insert(created);
    return created;
  }

  /** Bets before the wagers that hold them. */
  #undo(): void {
    for (const ownReference of this.#newlyTaken) this.#takenReferences.delete(ownReference);
    this.bets.undo({
      onRemoved: (bet) => {
        this.offersOf(bet.wagerId).remove(bet);
        this.#metas.delete(bet);
      },
      onRestored: (bet) => this.offersOf(bet.wagerId).update(bet),
    });
    this.wagers.undo({
      onRemoved: (wager) => {
        this.#offersByWagerId.delete(wager.id);
        this.#wagerByReference.delete(wager.reference);
      },
      onRestored: (wager) => this.offersOf(wager.id).setPendingCancels(wager.pendingCancels),
    });
    this.positions.undo();
    this.users.undo();
  }
}
