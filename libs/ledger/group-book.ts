import { Book } from '#core/book.js';
import type { Changes } from '#core/changes.js';
import { type Decision, isOpen } from '#core/impact.js';
import type { UserIdentifier } from '#core/needs.js';
import { type Coverage, EVERYONE, endOfOdds, type MoreOffers } from '#core/offers.js';
import type { Bet, TrailEntry, Wager } from '#core/records.js';
import { isAnswerTo, type KeyedRequest, Replayed, type StoredAnswer } from '#idempotency/stored-answers.js';
import type { Tx } from '#platform/database/database.js';
import type { RowOf } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import {
  type AccountNeeds,
  accountNeedsOf,
  eachOnce,
  type FirstOffers,
  type GroupRequest,
  mayLeaveOffers,
  NOTHING,
  requestOf,
  SLICE_MAX,
  wantedUserOf,
} from './group-request.js';
import {
  callOf,
  claimOwnReferences,
  type GroupCall,
  HeldRows,
  type LoadedBet,
  type LoadedGroup,
  type LockMode,
  loadGroup,
  notePaidAmounts,
} from './load-group.js';
import { loadMoreOffers } from './more-offers.js';
import type { claimedReference, MatchedWager, TotalsDifference } from './row-types.js';
import { KEY_REUSED, type KeyReused, SET_ASIDE, type Task } from './task.js';
import type { BookChanges } from './write-group.js';

type ClaimedReference = RowOf<typeof claimedReference>;

/** The least that an acceptance gets whose first slice did not suffice. */
const SLICE_NEXT = 32;

/**
 * The Books of the accounts that a group of tasks touches. What they need is put into text before the transaction begins, so that
 * no connection waits for it, and loaded and locked in the transaction.
 */
export class GroupBook {
  readonly books = new Map<bigint, Book>();
  readonly #betIds = new SequenceIds();
  readonly #wagerIds = new SequenceIds();
  readonly #held = new HeldRows();
  readonly #storedBets = new StoredBets();
  readonly #answers = new Map<string, StoredAnswer | undefined>();
  readonly #needs: readonly AccountNeeds[];
  readonly #request: GroupRequest;
  readonly #call: GroupCall;
  #pendingCount = 0;

  constructor(
    tasks: readonly Task[],
    private readonly lockMode: LockMode,
  ) {
    const keys = tasks.flatMap(({ idempotency }) => idempotency?.request ?? []);
    this.#needs = tasks.flatMap((task) => task.needs.map((need) => accountNeedsOf(task.accountId, need)));
    this.#request = requestOf(this.#needs, keys);
    this.#call = callOf(this.#request, lockMode);
  }

  /** For any number of tasks of any accounts, in one statement; corrections and own references take one more. */
  async load(tx: Tx): Promise<void> {
    const loaded = await loadGroup(tx, this.#call);
    await notePaidAmounts(tx, loaded.bets);
    this.#open(loaded);
    this.#noteOwnReferences(await claimOwnReferences(tx, this.#needs, this.lockMode));
  }

  bookOf(accountId: bigint): Book {
    const book = this.books.get(accountId);
    if (book === undefined) throw new Error(`account ${accountId} is not loaded`);
    return book;
  }

  /** The result of a task that must not run; undefined: the task can run. */
  resultWithoutRunning({ accountId, needs, idempotency }: Task): Replayed | KeyReused | typeof SET_ASIDE | undefined {
    if (idempotency !== undefined) {
      const stored = this.#answerTo(idempotency.request);
      if (stored !== undefined) return stored;
    }
    const book = this.bookOf(accountId);
    return needs.some((need) => this.#held.areNeeded(accountId, need, book)) ? SET_ASIDE : undefined;
  }

  /** What is still to be written, to be taken once. */
  changes(): BookChanges[] {
    return [...this.books].map(([accountId, book]) => this.#withTotals(accountId, book.changes()));
  }

  /** The bets that decisions and settlements will move, at most. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** The number of steps that are not written yet. */
  stepCount(): number {
    let count = 0;
    for (const book of this.books.values()) count += book.stepCount;
    return count;
  }

  takeSteps(): BookChanges[] {
    return [...this.books].map(([accountId, book]) => this.#withTotals(accountId, book.takeSteps()));
  }

  /** Loads the next slice of a scope for an operation that needs more offers. False: another transaction holds a user of it. */
  async loadMore(tx: Tx, accountId: bigint, wanted: MoreOffers): Promise<boolean> {
    const book = this.bookOf(accountId);
    const pendingCancels = wanted.wagerIds.map((id) => book.wager(id).pendingCancels);
    const limit = nextSliceOf(book, wanted);
    const request = { accountId, wanted, pendingCancels, limit };
    const { offers, behindCounts } = await loadMoreOffers(tx, request);
    const bets = offers.map((bet): LoadedBet => ({ accountId, bet, kind: 'offer', index: 0 }));
    const makers = offers.map(({ requestingUserId: id, wagerId }) => wantedUserOf(accountId, { id }, { id: wagerId }));
    const users = eachOnce(makers);
    const loaded = users.length === 0 ? undefined : await loadGroup(tx, callOf({ ...NOTHING, users }, this.lockMode));
    const locked = new Set(loaded?.users.map(({ item }) => item.id));
    // No bet enters a Book without its users: a later task of the group could move it.
    if (loaded?.knownUsers.some(({ id }) => !locked.has(id) && book.users.get(id) === undefined)) return false;
    if (loaded !== undefined) this.#openBets({ ...loaded, bets });
    const end: Coverage = wanted.maximumOdds === null ? 'all' : endOfOdds(wanted.maximumOdds);
    const last = offers.at(-1);
    const coverage = offers.length < limit || last === undefined ? end : last;
    for (const wagerId of wanted.wagerIds) {
      book.cover(wagerId, wanted.scope, coverage, behindCounts.get(wagerId));
    }
    return true;
  }

  #withTotals(accountId: bigint, changes: Changes): BookChanges {
    return { accountId, ...changes, totals: this.#storedBets.differenceBy(changes) };
  }

  #answerTo(request: KeyedRequest): Replayed | KeyReused | typeof SET_ASIDE | undefined {
    const key = nameOf(request.accountId, request.key);
    if (!this.#answers.has(key)) return SET_ASIDE; // another process is answering the request
    const stored = this.#answers.get(key);
    return stored && (isAnswerTo(request, stored) ? new Replayed(stored) : KEY_REUSED);
  }

  #open(loaded: LoadedGroup): void {
    for (const { accountId: id, now, ...account } of loaded.accounts) {
      if (account.betsLeft !== null && account.betsLeft < 0) throw new Refusal('sandbox-deleted');
      const ids = { nextBetId: this.#betIds.next, nextWagerId: this.#wagerIds.next };
      this.books.set(id, new Book({ account: { id, ...account }, now, ...ids }));
    }
    for (const { accountId, key, answer } of loaded.claimedKeys) this.#answers.set(nameOf(accountId, key), answer);
    this.#betIds.add(loaded.betIds);
    this.#wagerIds.add(loaded.freeNames.map(({ wagerId }) => wagerId));
    for (const { accountId, item } of loaded.wagers) this.bookOf(accountId).loadWager(item);
    this.#noteHeldWagers(loaded);
    this.#openBets(loaded);
    this.#pendingCount = loaded.bets.reduce((count, { kind }) => (kind === 'pending' ? count + 1 : count), 0);
    this.#noteHeldUsers(loaded);
    for (const need of this.#needs) this.#emptyPositionsOf(need);
    this.#notePending(loaded);
    this.#coverSlices(loaded);
  }

  /** Bets of wagers that are not locked are passed over: their tasks are set aside. */
  #openBets({ bets, users, namedUsers, positions, loneOffers }: LoadedGroup): void {
    for (const { accountId, bet } of bets) {
      const book = this.bookOf(accountId);
      // One that the Book holds already may have changed since.
      if (book.wagers.get(bet.wagerId) === undefined || book.bets.get(bet.id) !== undefined) continue;
      book.loadBet(bet);
      this.#storedBets.note(bet);
    }
    for (const { accountId, item } of users) this.bookOf(accountId).loadUser(item);
    for (const user of namedUsers) this.bookOf(user.accountId).nameUser(user);
    for (const { accountId, item } of positions) this.bookOf(accountId).positions.load(item);
    for (const offer of loneOffers) this.bookOf(offer.accountId).positions.loadLoneOffer(offer);
    // The others are empty. `loadEmpty` ignores positions that the Book holds already.
    for (const { accountId, bet } of bets) {
      for (const userId of [bet.requestingUserId, bet.acceptingUserId]) {
        if (userId !== null) this.bookOf(accountId).positions.loadEmpty(userId, bet.wagerId);
      }
    }
  }

  #noteOwnReferences(claimed: readonly ClaimedReference[]): void {
    const isTaken = new Map(claimed.map((each) => [nameOf(each.accountId, each.name), each.isTaken]));
    for (const { accountId, ownReferences } of this.#needs) {
      for (const reference of ownReferences) {
        const taken = isTaken.get(nameOf(accountId, reference));
        if (taken === undefined) this.#held.addOwnReference(accountId, reference);
        else if (taken) this.bookOf(accountId).noteTakenReference(reference);
      }
    }
  }

  #noteHeldWagers({ storedWagers, freeNames }: LoadedGroup): void {
    for (const wager of storedWagers) {
      if (this.bookOf(wager.accountId).wagers.get(wager.id) === undefined) this.#held.addWager(wager);
    }
    const free = new Set(freeNames.map(({ accountId, reference }) => nameOf(accountId, reference)));
    for (const { accountId, reference, mayCreate } of this.#request.wagers) {
      if (!mayCreate || reference === null || free.has(nameOf(accountId, reference))) continue;
      if (this.bookOf(accountId).wagerNamed(reference) !== undefined) continue;
      this.#held.addWager({ accountId, id: null, reference, betId: null });
    }
  }

  #noteHeldUsers({ knownUsers, bets }: LoadedGroup): void {
    for (const user of knownUsers) {
      const book = this.bookOf(user.accountId);
      if (book.users.get(user.id) !== undefined) continue;
      this.#held.addUser(user, bets);
      book.nameUser(user);
    }
  }

  /** Of the acting users, in every wager that the operation names directly or by a bet. */
  #emptyPositionsOf({ accountId, users, wagers, betIds }: AccountNeeds): void {
    const book = this.bookOf(accountId);
    const known = wagers.map((wager) => ('reference' in wager ? book.wagerNamed(wager.reference)?.id : wager.id));
    const reached = betIds.map((id) => book.bets.get(id)?.wagerId);
    const wagerIds = [...known, ...reached].filter((id) => id !== undefined);
    const userIds = users.flatMap(({ id, reference }) => [id, reference && book.userIdOf({ reference })]);
    for (const userId of userIds) {
      if (typeof userId !== 'bigint') continue;
      for (const wagerId of wagerIds) book.positions.loadEmpty(userId, wagerId);
    }
  }

  /** Records in each Book how many pending bets its wagers have, or how far the ledger looked for them. */
  #notePending({ bets, unexamined }: LoadedGroup): void {
    const wanted = this.#needs.flatMap(({ accountId, pendingBets }) =>
      pendingBets === null ? [] : { accountId, ...pendingBets },
    );
    for (const [
      wantedIndex,
      { accountId, wager: wantedWager, outcome, voidFrom, limit, counted },
    ] of wanted.entries()) {
      const book = this.bookOf(accountId);
      const wager = 'id' in wantedWager ? book.wagers.get(wantedWager.id) : book.wagerNamed(wantedWager.reference);
      if (wager === undefined) continue;
      const next = unexamined.find(({ index }) => index === wantedIndex);
      if (counted === null) {
        if (next !== undefined) book.noteExamined(wager.id, next.betId - 1n);
        continue;
      }
      const isOwn = ({ kind, index }: LoadedBet) => kind === 'pending' && index === wantedIndex;
      const loaded = bets.reduce((count, bet) => (isOwn(bet) ? count + 1 : count), 0);
      const due = { outcome: outcome ?? wager.outcome, voidFrom };
      const mayBeMore = loaded === limit || next !== undefined;
      const total = mayBeMore || isMarked(wager, due) ? Math.max(loaded, counted) : loaded;
      book.countPending(wager.id, due, total, mayBeMore);
    }
  }

  /** Records in each Book how far its slices reach. */
  #coverSlices({ bets }: LoadedGroup): void {
    const { offers } = this.#request;
    const slices = offers.map((): Bet[] => []);
    for (const { kind, index, bet } of bets) if (kind === 'offer') slices[index]?.push(bet);
    for (const [index, wanted] of offers.entries()) {
      const book = this.bookOf(wanted.accountId);
      const wager = book.wagerNamed(wanted.wagerReference);
      if (wager !== undefined && !hasCancelingOffers(wager)) coverSlice(book, wager.id, wanted, slices[index] ?? []);
    }
  }
}

/** An acceptance gets four times the offers that are loaded: few suffice most of them, and many need few slices. */
function nextSliceOf(book: Book, { scope, wagerIds }: MoreOffers): number {
  if (scope.kind !== 'acceptableTo') return SLICE_MAX;
  const loaded = wagerIds.reduce((count, id) => count + book.offersOf(id).bets.size, 0);
  return Math.min(Math.max(4 * loaded, SLICE_NEXT), SLICE_MAX);
}

function coverSlice(book: Book, wagerId: bigint, wanted: FirstOffers, slice: readonly Bet[]): void {
  const { requestingUser, odds } = wanted;
  const end = mayLeaveOffers(wanted, slice) ? slice.at(-1) : undefined;
  if (requestingUser === null) {
    book.cover(wagerId, EVERYONE, end ?? (odds.maximumOdds === null ? 'all' : endOfOdds(odds.maximumOdds)));
    return;
  }
  const requestingUserId = book.userIdOf(firstOf(requestingUser));
  if (typeof requestingUserId !== 'bigint') return;
  book.cover(wagerId, { kind: 'ownOf', requestingUserId, ...odds }, end ?? 'all');
}

/** No bet up to the mark was examined: only the count finds one there that is not where the mark says. */
const isMarked = ({ outcome, settledUpTo }: Wager, due: Decision): boolean =>
  due.outcome === outcome && due.voidFrom === null && settledUpTo > 0n;

/** `load_group` knows no pending cancels: such a wager's offers are loaded when they are asked for. */
const hasCancelingOffers = ({ pendingCancels }: Wager): boolean => pendingCancels.length > 0;

const nameOf = (accountId: bigint, name: string): string => `${accountId} ${name}`;

/** The id, where both are given. */
const firstOf = ({ id, reference }: UserIdentifier): UserIdentifier => (id === undefined ? { reference } : { id });

/** Which of the loaded bets are open offers in the database, or matched. From this the difference follows that a write makes. */
class StoredBets {
  readonly #open = new Set<bigint>();
  readonly #matched = new Set<bigint>();

  /** A bet as the database has it, when it is loaded. */
  note(bet: Bet): void {
    if (isOpen(bet)) this.#open.add(bet.id);
    if (bet.acceptingUserId !== null) this.#matched.add(bet.id);
  }

  /** By how much these changes move the totals. They must be written: the next difference is to them. */
  differenceBy({ insertedBets, updatedBets, trails, transactions }: Changes): TotalsDifference {
    // An offer that was inactive or expired may become open and be matched by one write.
    const isNew = ({ acceptingUserId, id }: Bet) => acceptingUserId !== null && !this.#matched.has(id);
    const matched = [...insertedBets, ...updatedBets].filter(isNew);
    for (const { id } of matched) this.#matched.add(id);
    let openBets = 0;
    let openAmount = 0n;
    for (const bets of [insertedBets, updatedBets]) {
      for (const bet of bets) {
        if (isOpen(bet) === this.#open.has(bet.id)) continue;
        const sign = isOpen(bet) ? 1 : -1;
        openBets += sign;
        openAmount += BigInt(sign) * bet.requestingAmount;
        if (sign > 0) this.#open.add(bet.id);
        else this.#open.delete(bet.id);
      }
    }
    const matches = matched.length === 0 ? [] : matchesOf(matched, trails);
    return { bets: insertedBets.length, openBets, openAmount, transactions: transactions.length, matches };
  }
}

/** By wager, in the order of the acceptances' trail entries. */
function matchesOf(matched: readonly Bet[], trails: readonly TrailEntry[]): MatchedWager[] {
  const waiting = new Map(matched.map((bet) => [bet.id, bet]));
  const wagers = new Map<bigint, MatchedWager>();
  for (const { betId, effectiveAmount } of trails) {
    const bet = waiting.get(betId);
    // A bet may have entries before its acceptance, and after it.
    if (bet === undefined || effectiveAmount === null) continue;
    waiting.delete(betId);
    const { bets, amount } = wagers.get(bet.wagerId) ?? { bets: 0, amount: 0n };
    const one = { wagerId: bet.wagerId, bets: bets + 1, amount: amount + effectiveAmount, lastBetId: betId };
    wagers.set(bet.wagerId, one);
  }
  return [...wagers.values()];
}

/** Ids drawn from a sequence; `next` returns them in ascending order. */
class SequenceIds {
  #ids: bigint[] = [];

  add(ids: readonly bigint[]): void {
    this.#ids = [...this.#ids, ...ids].sort((one, other) => (one < other ? -1 : 1));
  }

  readonly next = (): bigint => {
    const id = this.#ids.shift();
    if (id === undefined) throw new Error('more ids are used than were drawn');
    return id;
  };
}
