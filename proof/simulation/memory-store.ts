import { Book, type BookAccount } from '#core/book.js';
import { settlesFirst } from '#core/decide-wager.js';
import { emptyPosition, isOpen, isPending } from '#core/impact.js';
import { type Micros, type OddsMicros, ZERO } from '#core/money.js';
import type { Needs, UserIdentifier, WagerIdentifier } from '#core/needs.js';
import { byOdds, EVERYONE, endOfOdds, isIn, MoreOffers, type OfferPlace, orderOf } from '#core/offers.js';
import { needsOf } from '#core/operation.js';
import type { Bet, Position, Transaction, User, Wager } from '#core/records.js';
import { operationsOf, runOnBook, type Task, type TaskResult } from './task.js';

const earlierOf = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || (other !== null && other < one) ? other : one;

/*
 * Stands in for the ledger and its database: runs each group of tasks on a new Book with only what their needs name,
 * loaded in slices of a given size. It shows what the needs mean, and that they suffice.
 */
export class MemoryStore {
  readonly users = new Map<bigint, User>();
  readonly wagers = new Map<bigint, Wager>();
  readonly bets = new Map<bigint, Bet>();
  readonly transactions: Transaction[] = [];
  readonly #positions = new Map<string, Position>();
  readonly #sliceSize: number;
  readonly #account: Omit<BookAccount, 'id'>;
  #lastBetId = 100n;
  #lastWagerId = 10n;

  constructor(
    users: readonly User[],
    sliceSize: number,
    { allowNegativeBalance = false, decimals = null }: Partial<Omit<BookAccount, 'id'>> = {},
  ) {
    for (const user of users) this.users.set(user.id, { ...user });
    this.#sliceSize = sliceSize;
    this.#account = { allowNegativeBalance, decimals };
  }

  /** Stored or not. */
  get positions(): ReadonlyMap<string, Position> {
    const positions = new Map(this.#positions);
    for (const { requestingUserId: userId, wagerId } of [...this.bets.values()].filter(isOpen)) {
      const key = `${userId} ${wagerId}`;
      if (positions.has(key)) continue;
      positions.set(key, { ...emptyPosition(userId, wagerId), offered: this.#loneOfferOf(userId, wagerId) });
    }
    return positions;
  }

  run(group: readonly Task[]): TaskResult[] {
    const needs = group.flatMap(operationsOf).map(needsOf);
    const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
    const ids = { count: sumOf(needs.map(({ newBets }) => newBets)) };
    const book = new Book({
      now: group[0]?.now ?? 0n,
      account: { id: 1n, ...this.#account },
      nextBetId: reserved(this.#lastBetId, ids),
      nextWagerId: reserved(this.#lastWagerId, { count: sumOf(needs.map(({ newWagers }) => newWagers)) }),
    });
    for (const some of needs) this.#load(book, some);
    this.#loadPositions(book);
    const results = group.map((task) => this.#complete(book, task));
    this.#persist(book);
    ids.count += 1; // a look at the id that nothing has drawn
    this.#lastBetId = book.firstFreeBetId() - 1n;
    return results;
  }

  #complete(book: Book, task: Task): TaskResult {
    for (;;) {
      const result = runOnBook(book, task);
      if (!(result instanceof MoreOffers)) return result;
      this.#loadMore(book, result);
    }
  }

  #load(book: Book, needs: Needs): void {
    const wagers = needs.wagers.flatMap((identifier) => this.#wagersBy(identifier));
    for (const wager of wagers) book.loadWager({ ...wager });
    for (const user of needs.users.flatMap((identifier) => this.#usersBy(identifier))) book.loadUser({ ...user });
    for (const user of needs.namedUsers.flatMap((identifier) => this.#usersBy(identifier))) book.nameUser(user);
    for (const id of needs.betIds)
      this.#loadBets(
        book,
        [this.bets.get(id)].filter((bet) => bet !== undefined),
      );
    if (needs.matchingOffers !== null) this.#loadMatching(book, wagers, needs.matchingOffers.maximumOdds);
    if (needs.pendingBets !== null) {
      const { wager, outcome, voidFrom, limit, counted } = needs.pendingBets;
      for (const { id, outcome: present, voidFrom: own } of this.#wagersBy(wager)) {
        const due = { outcome: outcome ?? present, voidFrom: earlierOf(voidFrom, own) };
        const pending = [...this.bets.values()].filter((bet) => bet.wagerId === id && isPending(bet, due));
        if (counted !== null) book.countPending(id, { ...due, voidFrom }, pending.length, false);
        this.#loadBets(book, pending.sort(settlesFirst).slice(0, limit));
      }
    }
  }

  #loadMatching(book: Book, wagers: readonly Wager[], maximumOdds: OddsMicros): void {
    for (const { id, pendingCancels } of wagers) {
      if (pendingCancels.length > 0) continue;
      const slice = this.#slice((bet) => bet.wagerId === id && bet.requestingOdds <= maximumOdds, byOdds);
      this.#loadBets(book, slice.bets);
      book.cover(id, EVERYONE, slice.last ?? endOfOdds(maximumOdds));
    }
  }

  #loadMore(book: Book, { scope, wagerIds, maximumOdds, after }: MoreOffers): void {
    const order = orderOf(scope);
    const isWanted = (bet: Bet) =>
      wagerIds.includes(bet.wagerId) &&
      (maximumOdds === null || bet.requestingOdds <= maximumOdds) &&
      (after === null || order(bet, after) > 0) &&
      isIn(scope, bet) &&
      (scope.kind === 'canceling' || !this.#isCanceling(bet));
    const slice = this.#slice(isWanted, order);
    this.#loadBets(book, slice.bets);
    const end = maximumOdds === null ? 'all' : endOfOdds(maximumOdds);
    for (const wagerId of wagerIds) {
      const isBehind = (bet: Bet) =>
        isOpen(bet) && isWanted(bet) && bet.wagerId === wagerId && !slice.bets.includes(bet);
      book.cover(wagerId, scope, slice.last ?? end, [...this.bets.values()].filter(isBehind).length);
    }
    this.#loadPositions(book);
  }

  #isCanceling(bet: Bet): boolean {
    const pendingCancels = this.wagers.get(bet.wagerId)?.pendingCancels ?? [];
    return pendingCancels.some((cancel) => isIn({ kind: 'canceling', cancel }, bet));
  }

  /** `last` null: no offer stands behind the slice. */
  #slice(isWanted: (bet: Bet) => boolean, order: (one: OfferPlace, other: OfferPlace) => number) {
    const all = [...this.bets.values()].filter((bet) => isOpen(bet) && isWanted(bet)).sort(order);
    const bets = all.slice(0, this.#sliceSize);
    return { bets, last: bets.length < this.#sliceSize ? null : (bets.at(-1) ?? null) };
  }

  #loadBets(book: Book, bets: readonly Bet[]): void {
    for (const bet of bets) {
      for (const wager of this.#wagersBy({ id: bet.wagerId })) book.loadWager({ ...wager });
      for (const id of [bet.requestingUserId, bet.acceptingUserId]) {
        const user = id === null ? undefined : this.users.get(id);
        if (user !== undefined) book.loadUser({ ...user });
      }
      book.loadBet({ ...bet });
    }
  }

  #loadPositions(book: Book): void {
    for (const { id: userId } of book.users.values()) {
      for (const { id: wagerId } of book.wagers.values()) {
        const stored = this.#positions.get(`${userId} ${wagerId}`);
        if (stored === undefined)
          book.positions.loadLoneOffer({ userId, wagerId, offered: this.#loneOfferOf(userId, wagerId) });
        else book.positions.load({ ...stored });
      }
    }
  }

  /** Of a user without a stored position: it has one at most. */
  #loneOfferOf(userId: bigint, wagerId: bigint): Micros {
    const isOwn = (bet: Bet) => isOpen(bet) && bet.requestingUserId === userId && bet.wagerId === wagerId;
    const [lone, ...others] = [...this.bets.values()].filter(isOwn);
    if (others.length > 0) throw new Error(`user ${userId} has several offers on wager ${wagerId}, and no position`);
    return lone?.requestingAmount ?? ZERO;
  }

  /** As PostgreSQL does it: what is stored cannot be inserted, and only that can be updated. */
  #setPosition(position: Position, { isStored }: { readonly isStored: boolean }): void {
    const key = `${position.userId} ${position.wagerId}`;
    if (this.#positions.has(key) !== isStored) throw new Error(`position ${key} is ${isStored ? 'not ' : ''}stored`);
    this.#positions.set(key, position);
  }

  #usersBy({ id, reference }: UserIdentifier): User[] {
    return [...this.users.values()].filter((user) => user.id === id || user.reference === reference);
  }

  #wagersBy(identifier: WagerIdentifier): Wager[] {
    const isNamed = (wager: Wager) =>
      'id' in identifier ? wager.id === identifier.id : wager.reference === identifier.reference;
    return [...this.wagers.values()].filter(isNamed);
  }

  #persist(book: Book): void {
    const changes = book.changes();
    for (const wager of [...changes.insertedWagers, ...changes.updatedWagers]) this.wagers.set(wager.id, wager);
    for (const bet of [...changes.insertedBets, ...changes.updatedBets]) this.bets.set(bet.id, bet);
    for (const user of changes.users) this.users.set(user.id, user);
    for (const position of changes.insertedPositions) this.#setPosition(position, { isStored: false });
    for (const position of changes.updatedPositions) this.#setPosition(position, { isStored: true });
    this.transactions.push(...changes.transactions);
    this.#lastWagerId += BigInt(changes.insertedWagers.length);
  }
}

/** Ids for as many records as the needs allow, however often the operation runs. */
const reserved = (last: bigint, ids: { readonly count: number }) => {
  let next = last;
  return () => {
    if (next === last + BigInt(ids.count)) throw new Error('more ids drawn than the needs said');
    next += 1n;
    return next;
  };
};
