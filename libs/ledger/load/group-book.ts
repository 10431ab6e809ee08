import { Book } from '#core/book.js';
import { ODDS_ONE } from '#core/money.js';
import type { MoreOffers, UserIdentifier } from '#core/needs.js';
import { type Coverage, EVERYONE, endOfOdds } from '#core/offers.js';
import { emptyPosition } from '#core/position.js';
import type { Bet, Wager } from '#core/records.js';
import { isAnswerTo, type KeyedRequest, Replayed, type StoredAnswer } from '#idempotency/stored-answers.js';
import type { Tx } from '#platform/database/database.js';
import { KEY_REUSED, type KeyReused, SET_ASIDE, type Task } from '../task.js';
import type { AccountChanges } from '../write/persist.js';
import { type BetRow, betOf } from './bet-rows.js';
import { BusyRows, type Need } from './busy-rows.js';
import { DrawnIds } from './drawn-ids.js';
import { loadMoreOffers } from './more-offers.js';
import { type LoadedSlices, loadSlices, type MatchingSlice, type OwnSlice, type SlicedBet } from './offer-slices.js';
import { loadPending } from './pending-bets.js';
import { type LockedUsers, lockUsers, type UserRequest, usersOf, type WantedUser } from './user-locks.js';
import { type LockMode, lockWagers, type WagerName } from './wager-locks.js';

// Loads for any number of operations of any accounts in three statements: wagers (locked), offers, users (locked). A group
// that settles a wager needs one more.

/** Offers in the slice of a wager: a base, and what one more acceptance is likely to take. */
const SLICE_BASE = 8;
const SLICE_FOR_EACH = 4;
const SLICE_MAX = 1_000;
/** Offers of one user in the first slice of a cancel; a cancel of more loads further slices. */
const OWN_SLICE = 500;

const NOTHING_MORE = { named: [], newBets: 0, newWagers: 0, keyedRequests: [], claimedWagers: [] } as const;

/** The Books of the accounts that a group of tasks touches, loaded and locked in the open transaction. */
export class GroupBook {
  readonly books = new Map<bigint, Book>();
  readonly #betIds = new DrawnIds();
  readonly #wagerIds = new DrawnIds();
  readonly #busy = new BusyRows();
  readonly #answers = new Map<string, StoredAnswer>();
  readonly #busyKeys = new Set<string>();

  private constructor(
    private readonly tx: Tx,
    private readonly lockMode: LockMode,
  ) {}

  static async load(tx: Tx, tasks: readonly Task[], lockMode: LockMode): Promise<GroupBook> {
    const needs = tasks.flatMap((task) => task.needs.map((need) => ({ ...need, accountId: task.accountId })));
    const keyedRequests = tasks.flatMap(({ idempotency }) => idempotency?.request ?? []);
    const group = new GroupBook(tx, lockMode);
    await group.#loadWagers(needs, keyedRequests);
    const slices = await group.#loadSlices(needs);
    const pending = await group.#loadPending(needs);
    await group.#loadUsers(needs, { bets: [...slices.rows, ...pending], keyedRequests });
    group.#coverSlices(slices);
    return group;
  }

  bookOf(accountId: bigint): Book {
    const book = this.books.get(accountId);
    if (book === undefined) throw new Error(`account ${accountId} is not loaded`);
    return book;
  }

  /** The result of a task that must not run; undefined: the task can run. */
  resultWithoutRunning({ accountId, needs, idempotency }: Task): Replayed | KeyReused | typeof SET_ASIDE | undefined {
    if (idempotency !== undefined) {
      const { request } = idempotency;
      const key = nameOf(request.accountId, request.key);
      if (this.#busyKeys.has(key)) return SET_ASIDE;
      const stored = this.#answers.get(key);
      if (stored !== undefined) return isAnswerTo(request, stored) ? new Replayed(stored) : KEY_REUSED;
    }
    const book = this.bookOf(accountId);
    return needs.some((need) => this.#busy.block({ ...need, accountId }, book)) ? SET_ASIDE : undefined;
  }

  changes(): AccountChanges[] {
    return [...this.books].map(([accountId, book]) => ({ accountId, ...book.changes() }));
  }

  /** The number of steps that are not written yet. */
  stepCount(): number {
    let count = 0;
    for (const book of this.books.values()) count += book.stepCount;
    return count;
  }

  takeSteps(): AccountChanges[] {
    return [...this.books].map(([accountId, book]) => ({ accountId, ...book.takeSteps() }));
  }

  /** Loads the next slice of a scope for an operation that needs more offers. False: another transaction holds a user of it. */
  async loadMore(accountId: bigint, wanted: MoreOffers): Promise<boolean> {
    const book = this.bookOf(accountId);
    const pendingCancels = wanted.wagerIds.map((id) => book.wager(id).pendingCancels);
    const request = { accountId, wanted, pendingCancels, limit: SLICE_MAX };
    const { rows, behindCounts } = await loadMoreOffers(this.tx, request);
    const end: Coverage = wanted.maximumOdds === null ? 'all' : endOfOdds(wanted.maximumOdds);
    const last = rows.at(-1);
    const coverage = rows.length < SLICE_MAX || last === undefined ? end : betOf(last);
    for (const row of rows) book.loadBet(betOf(row));
    const busyUsers = await this.#lockUsers(usersOf(rows), NOTHING_MORE);
    if (busyUsers.length > 0) return false;
    for (const wagerId of wanted.wagerIds) {
      book.cover(wagerId, wanted.scope, coverage, behindCounts.get(wagerId));
    }
    return true;
  }

  async #loadWagers(needs: readonly Need[], keyedRequests: readonly KeyedRequest[]): Promise<void> {
    const byReference = needs.flatMap(({ accountId, wagers }) =>
      wagers.flatMap((wager) => ('reference' in wager ? [{ accountId, reference: wager.reference }] : [])),
    );
    const byId = needs.flatMap(({ accountId, wagers }) =>
      wagers.flatMap((wager) => ('id' in wager ? [{ accountId, id: wager.id }] : [])),
    );
    const byBet = needs.flatMap(({ accountId, betIds }) => betIds.map((betId) => ({ accountId, betId })));
    const accountIds = [...new Set(needs.map(({ accountId }) => accountId))];
    const toCreate = needs.flatMap(({ accountId, wagers, newWagers }) =>
      newWagers === 0
        ? []
        : wagers.flatMap((wager) => ('reference' in wager ? [{ accountId, reference: wager.reference }] : [])),
    );
    const request = { accountIds, byId, byReference, byBet, toCreate, keyedRequests };
    const locked = await lockWagers(this.tx, request, this.lockMode);
    for (const wager of locked.busyWagers) this.#busy.addWager(wager);
    for (const { accountId, key } of locked.busyKeys) this.#busyKeys.add(nameOf(accountId, key));
    for (const { accountId: id, allowNegativeBalance } of locked.accounts) {
      const ids = { nextBetId: this.#betIds.next, nextWagerId: this.#wagerIds.next };
      this.books.set(id, new Book({ account: { id, allowNegativeBalance }, ...ids }));
    }
    for (const { accountId, ...wager } of locked.wagers) this.bookOf(accountId).loadWager(wager);
  }

  async #loadSlices(needs: readonly Need[]): Promise<LoadedSlices> {
    const betIds = needs.flatMap(({ accountId, betIds: ids }) =>
      ids.flatMap((betId) => (this.#busy.hasBet(accountId, betId) ? [] : [{ accountId, betId }])),
    );
    const matching = this.#matchingSlices(needs);
    const own = this.#ownSlices(needs);
    const isNeeded = betIds.length + matching.length + own.length > 0;
    const rows = isNeeded ? await loadSlices(this.tx, { betIds, matching, own }) : [];
    for (const row of rows) this.bookOf(row.accountId).loadBet(betOf(row));
    return { rows, matching, own };
  }

  async #loadPending(needs: readonly Need[]): Promise<readonly BetRow[]> {
    const slices = needs.flatMap(({ accountId, pendingBets }) => {
      if (pendingBets === null) return [];
      const { wager: named, outcome, limit, counted } = pendingBets;
      const book = this.bookOf(accountId);
      const wager = 'id' in named ? book.wagers.get(named.id) : book.wagerNamed(named.reference);
      return wager ? [{ accountId, wagerId: wager.id, outcome: outcome ?? wager.outcome, limit, counted }] : [];
    });
    if (slices.length === 0) return [];
    const rows = await loadPending(this.tx, slices);
    for (const row of rows) this.bookOf(row.accountId).loadBet(betOf(row));
    for (const [index, slice] of slices.entries()) {
      const { accountId, wagerId, outcome, limit, counted } = slice;
      if (counted === null) continue;
      const loaded = rows.reduce((count, row) => (row.slice === index ? count + 1 : count), 0);
      const total = loaded < limit ? loaded : Math.max(loaded, counted);
      this.bookOf(accountId).countPending(wagerId, outcome, total);
    }
    return rows;
  }

  /** One slice per wager, shared by all acceptances on it. */
  #matchingSlices(needs: readonly Need[]): MatchingSlice[] {
    const slices = new Map<string, MatchingSlice>();
    for (const { accountId, matchingOffers } of needs) {
      const wager = matchingOffers && this.bookOf(accountId).wagerNamed(matchingOffers.wagerReference);
      if (!matchingOffers || !wager || hasNamedOffers(wager)) continue;
      const key = `${accountId} ${wager.id}`;
      const known = slices.get(key) ?? { accountId, wagerId: wager.id, maximumOdds: ODDS_ONE, limit: SLICE_BASE };
      const maximumOdds =
        matchingOffers.maximumOdds > known.maximumOdds ? matchingOffers.maximumOdds : known.maximumOdds;
      slices.set(key, { ...known, maximumOdds, limit: Math.min(known.limit + SLICE_FOR_EACH, SLICE_MAX) });
    }
    return [...slices.values()];
  }

  #ownSlices(needs: readonly Need[]): OwnSlice[] {
    return needs.flatMap(({ accountId, ownOffers }) => {
      if (ownOffers === null) return [];
      const { requestingUser, minimumOdds, maximumOdds } = ownOffers;
      const { id = null, reference = null } = requestingUser;
      const range = { minimumOdds, maximumOdds };
      const who = { requestingUserId: id, requestingUserReference: reference, ...range };
      return [...new Set(ownOffers.wagerReferences)].flatMap((wagerReference) => {
        const wager = this.bookOf(accountId).wagerNamed(wagerReference);
        return wager === undefined || hasNamedOffers(wager)
          ? []
          : [{ accountId, wagerId: wager.id, ...who, limit: OWN_SLICE }];
      });
    });
  }

  /** Records in each Book how far its slices reach. */
  #coverSlices({ rows, matching, own }: LoadedSlices): void {
    const slices = new Map<string, SlicedBet[]>();
    for (const row of rows) {
      const key = `${row.kind} ${row.slice}`;
      const slice = slices.get(key);
      if (slice === undefined) slices.set(key, [row]);
      else slice.push(row);
    }
    const endOf = (kind: SlicedBet['kind'], index: number, limit: number): Bet | undefined => {
      const slice = slices.get(`${kind} ${index}`);
      const last = slice?.at(-1);
      return slice === undefined || last === undefined || slice.length < limit ? undefined : betOf(last);
    };
    for (const [index, { accountId, wagerId, maximumOdds, limit }] of matching.entries()) {
      const coverage = endOf('matching', index, limit) ?? endOfOdds(maximumOdds);
      this.bookOf(accountId).cover(wagerId, EVERYONE, coverage);
    }
    for (const [index, slice] of own.entries()) {
      const book = this.bookOf(slice.accountId);
      const requestingUserId = book.userIdOf(identifierOf(slice.requestingUserId, slice.requestingUserReference));
      if (typeof requestingUserId !== 'bigint') continue;
      const { minimumOdds, maximumOdds } = slice;
      const scope = { kind: 'ownOf', requestingUserId, minimumOdds, maximumOdds } as const;
      book.cover(slice.wagerId, scope, endOf('own', index, slice.limit) ?? 'all');
    }
  }

  async #loadUsers(
    needs: readonly Need[],
    { bets, keyedRequests }: { bets: readonly BetRow[]; keyedRequests: readonly KeyedRequest[] },
  ): Promise<void> {
    const acting = needs.flatMap((need) => this.#actingUsers(need));
    const named = needs.flatMap(({ accountId, namedUsers }) =>
      namedUsers.map(({ id, reference }) => ({ accountId, id: id ?? null, reference: reference ?? null })),
    );
    const newBets = needs.reduce((sum, need) => sum + need.newBets, 0);
    const claimedWagers = this.#wagersToCreate(needs);
    const newWagers = claimedWagers.length;
    const request = { named, newBets, newWagers, keyedRequests, claimedWagers };
    const busyUsers = await this.#lockUsers([...acting, ...usersOf(bets)], request);
    for (const user of busyUsers) {
      this.#busy.addUser(user, bets);
      this.bookOf(user.accountId).nameUser(user);
    }
  }

  /** The acting users, each with its position in every wager that the operation names directly or by a bet. */
  #actingUsers({ accountId, users, wagers, betIds }: Need): WantedUser[] {
    const book = this.bookOf(accountId);
    const named = wagers.map((wager) => ('reference' in wager ? book.wagerNamed(wager.reference)?.id : wager.id));
    const reached = betIds.map((id) => book.bets.get(id)?.wagerId);
    const wagerIds = [...named, ...reached].filter((id) => id !== undefined);
    return users.flatMap(({ id, reference }) => {
      const byId = { accountId, id: id ?? null, reference: null };
      const byReference = { accountId, id: null, reference: reference ?? null };
      const identities = [...(id === undefined ? [] : [byId]), ...(reference === undefined ? [] : [byReference])];
      return identities.flatMap((who) => [null, ...wagerIds].map((wagerId) => ({ ...who, wagerId })));
    });
  }

  /** The wagers that tasks may create and that are not stored, each once. */
  #wagersToCreate(needs: readonly Need[]): WagerName[] {
    const names = new Map<string, WagerName>();
    for (const { accountId, wagers, newWagers } of needs) {
      if (newWagers === 0) continue;
      for (const wager of wagers) {
        if (!('reference' in wager) || this.bookOf(accountId).wagerNamed(wager.reference) !== undefined) continue;
        names.set(nameOf(accountId, wager.reference), { accountId, reference: wager.reference });
      }
    }
    return [...names.values()];
  }

  /** Returns the users whose balance another transaction holds. */
  async #lockUsers(users: readonly WantedUser[], rest: Omit<UserRequest, 'users'>): Promise<LockedUsers['busyUsers']> {
    const locked = await lockUsers(this.tx, { users, ...rest }, this.lockMode);
    for (const answer of locked.storedAnswers) this.#answers.set(nameOf(answer.accountId, answer.key), answer);
    for (const wager of locked.takenWagers) this.#busy.addWager({ ...wager, id: null, betId: null });
    this.#betIds.add(locked.betIds);
    this.#wagerIds.add(locked.wagerIds);
    for (const { accountId, ...user } of locked.users) this.bookOf(accountId).loadUser(user);
    for (const { accountId, ...user } of locked.named) this.bookOf(accountId).nameUser(user);
    for (const { accountId, ...position } of locked.positions) this.bookOf(accountId).loadPosition(position);
    // A position that is not stored is empty. `loadPosition` ignores positions that the Book holds already.
    for (const { accountId, id, reference, wagerId } of users) {
      const book = this.bookOf(accountId);
      const userId = book.userIdOf(identifierOf(id, reference));
      if (wagerId !== null && typeof userId === 'bigint') book.loadPosition(emptyPosition(userId, wagerId));
    }
    return locked.busyUsers;
  }
}

/** The first statement for offers knows no pending cancels: such a wager's offers are loaded when they are asked for. */
const hasNamedOffers = ({ pendingCancels }: Wager): boolean => pendingCancels.length > 0;

const nameOf = (accountId: bigint, name: string): string => `${accountId} ${name}`;

const identifierOf = (id: bigint | null, reference: string | null): UserIdentifier =>
  id === null ? { reference: reference ?? undefined } : { id };
