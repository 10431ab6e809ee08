import type { Changes } from '#core/changes.js';
import { isOpen } from '#core/impact.js';
import { type Micros, ZERO } from '#core/money.js';
import type { Bet, Position, TrailEntry, Transaction, User, Wager } from '#core/records.js';
import type { StoredAnswer } from '#idempotency/stored-answers.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { type OfAccount, type RowOf, SqlFunction, type TextRow } from '#platform/database/statements.js';
import type { settledBet } from './row-types.js';
import {
  betRow,
  claimedKey,
  drawnIds,
  freeName,
  loadedAccount,
  loadedUser,
  positionRow,
  rowKey,
  storedWager,
  userNameRow,
  wagerRow,
} from './row-types.js';

/** The offers of a wager that got an acceptor. */
export interface MatchedWager {
  readonly wagerId: bigint;
  readonly bets: number;
  readonly amount: bigint;
  /** The one that got it last. */
  readonly lastBetId: bigint;
}

/** By how much the totals of an account's lists, and those of its wagers, change. */
export interface TotalsDifference {
  readonly bets: number;
  readonly openBets: number;
  readonly openAmount: bigint;
  readonly transactions: number;
  readonly matches: readonly MatchedWager[];
}

/** Which of the loaded bets are open offers in the database, or matched. From this the difference follows that a write makes. */
export class StoredBets {
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

/**
 * A bet that its wager's outcome settled for the first time: its trail entry and its transactions follow from it. The movement is
 * positive from the acceptor to the requester.
 */
export interface SettledBet extends Omit<RowOf<typeof settledBet>, 'accountId'> {
  readonly trail: TrailEntry;
}

/** A transaction and its number among all that are written together: ids have the order in which transactions arose. */
export interface NumberedTransaction {
  readonly transaction: Transaction;
  readonly number: number;
}

export interface CompactChanges extends Pick<Changes, 'updatedBets' | 'trails'> {
  readonly transactions: readonly NumberedTransaction[];
  readonly settled: readonly SettledBet[];
}

const signs = { credit: 1n, debit: -1n, 'no-action': 0n } as const;

/**
 * A settlement has thousands of such bets, so each is written as eight figures instead of fifty. `firstIndex`: how many
 * transactions of other accounts come before these.
 */
export function withoutSettled({ updatedBets, trails, transactions }: Changes, firstIndex: number): CompactChanges {
  const numbered = transactions.map((transaction, index) => ({
    transaction,
    number: firstIndex + index + 1,
  }));
  if (transactions.every(({ trail }) => trail === null)) {
    return { updatedBets, trails, transactions: numbered, settled: [] };
  }
  const trailOf = new Map<bigint, TrailEntry | 'several'>();
  for (const trail of trails) trailOf.set(trail.betId, trailOf.has(trail.betId) ? 'several' : trail);
  const moves = new Map<TrailEntry | null, NumberedTransaction[]>();
  for (const one of numbered) {
    const { trail } = one.transaction;
    const pair = moves.get(trail);
    if (pair === undefined) moves.set(trail, [one]);
    else pair.push(one);
  }
  const settled = new Map<TrailEntry | null, SettledBet>();
  const others: Bet[] = [];
  for (const bet of updatedBets) {
    const trail = trailOf.get(bet.id);
    const found = typeof trail === 'object' ? settledBetOf(bet, trail, moves.get(trail) ?? []) : undefined;
    if (found === undefined) others.push(bet);
    else settled.set(trail as TrailEntry, found);
  }
  return {
    updatedBets: others,
    trails: trails.filter((trail) => !settled.has(trail)),
    transactions: numbered.filter(({ transaction: { trail } }) => trail === null || !settled.has(trail)),
    settled: [...settled.values()],
  };
}

/** Undefined unless `write_group` would write exactly this trail entry and these transactions. */
function settledBetOf(bet: Bet, trail: TrailEntry, pair: readonly NumberedTransaction[]): SettledBet | undefined {
  const [first, second, ...more] = pair;
  if (first === undefined || second?.number !== first.number + 1 || more.length > 0) return undefined;
  const [requester, acceptor] = [first.transaction, second.transaction];
  const { settledOutcome: outcome } = bet;
  const { description } = trail;
  const isByWager = outcome !== null && bet.overrideOutcome === null && trail.outcome === outcome;
  const isTold = requester.description === description && acceptor.description === description;
  if (!isByWager || !isTold || requester.userId !== bet.requestingUserId) return undefined;
  return {
    number: first.number,
    id: bet.id,
    trail,
    outcome,
    movement: signs[requester.transactionType] * requester.amount,
    description,
    requesterBalance: requester.balanceAfter,
    acceptorBalance: acceptor.balanceAfter,
  };
}

export interface LoadedBet {
  readonly accountId: bigint;
  readonly bet: Bet;
  readonly kind: 'bet' | 'offer' | 'pending';
  /** Of the wanted offers, or of the wanted pending bets, that it belongs to. */
  readonly index: number;
}

/** What the function `load_group` returns. */
export interface LoadedGroup {
  readonly accounts: RowOf<typeof loadedAccount>[];
  /** Locked. */
  readonly wagers: OfAccount<Wager>[];
  /** Locked or not; those by id and by bet, and the others when one of them is not locked. */
  readonly storedWagers: RowOf<typeof storedWager>[];
  readonly freeNames: RowOf<typeof freeName>[];
  readonly claimedKeys: { readonly accountId: bigint; readonly key: string; readonly answer?: StoredAnswer }[];
  readonly bets: LoadedBet[];
  /** Of the wanted pending bets with that index, all accepted bets before this one were examined, and it was not. */
  readonly unexamined: { readonly betId: bigint; readonly index: number }[];
  /** Locked, with their money. */
  readonly users: OfAccount<User>[];
  /** Locked or not: all wanted users, when one of them is not locked. */
  readonly knownUsers: RowOf<typeof userNameRow>[];
  /** Only looked up. */
  readonly namedUsers: RowOf<typeof userNameRow>[];
  /** The stored ones; a position that is not stored is empty. */
  readonly positions: OfAccount<Position>[];
  readonly betIds: bigint[];
}

/** Of bets `b`. */
export const betText = Prisma.raw(betRow.textOf('b'));

/** What its transactions have moved is read later. */
export const betOf = (row: Omit<Bet, 'paid'>): Bet => Object.assign(row, { paid: ZERO });

/** Of a `betText`. */
export const betOfText = (text: string): Bet => betOf(betRow.readOf(text).item);

function claimedKeyOf({ accountId, key, requestHash, status, body, ...error }: RowOf<typeof claimedKey>) {
  if (requestHash === null || status === null || body === null) return { accountId, key };
  return { accountId, key, answer: { accountId, key, requestHash, status, body, ...error } };
}

function addBet(loaded: LoadedGroup, fields: string, kind: LoadedBet['kind'], number: number): void {
  const { accountId, item } = betRow.readOf(fields);
  loaded.bets.push({ accountId, bet: betOf(item), kind, index: number - 1 });
}

const adders: Readonly<Record<string, (loaded: LoadedGroup, fields: string, number: number) => void>> = {
  account: (loaded, fields) => loaded.accounts.push(loadedAccount.read(fields)),
  wager: (loaded, fields) => loaded.wagers.push(wagerRow.readOf(fields)),
  'stored wager': (loaded, fields) => loaded.storedWagers.push(storedWager.read(fields)),
  'free name': (loaded, fields) => loaded.freeNames.push(freeName.read(fields)),
  'claimed key': (loaded, fields) => loaded.claimedKeys.push(claimedKeyOf(claimedKey.read(fields))),
  bet: (loaded, fields) => addBet(loaded, fields, 'bet', 1),
  offer: (loaded, fields, number) => addBet(loaded, fields, 'offer', number),
  pending: (loaded, fields, number) => addBet(loaded, fields, 'pending', number),
  unexamined: (loaded, fields, number) =>
    loaded.unexamined.push({ betId: betRow.readOf(fields).item.id, index: number - 1 }),
  user: (loaded, fields) => loaded.users.push(loadedUser.readOf(fields)),
  'known user': (loaded, fields) => loaded.knownUsers.push(userNameRow.read(fields)),
  'named user': (loaded, fields) => loaded.namedUsers.push(userNameRow.read(fields)),
  position: (loaded, fields) => loaded.positions.push(positionRow.readOf(fields)),
  'bet ids': (loaded, fields) => loaded.betIds.push(...drawnIds.read(fields).ids),
};

/** Of rows of the type `result_row`. */
export function loadedGroupOf(rows: readonly TextRow[]): LoadedGroup {
  const loaded: LoadedGroup = {
    accounts: [],
    wagers: [],
    storedWagers: [],
    freeNames: [],
    claimedKeys: [],
    bets: [],
    unexamined: [],
    users: [],
    knownUsers: [],
    namedUsers: [],
    positions: [],
    betIds: [],
  };
  for (const [kind, number, fields] of rows) {
    const add = adders[kind ?? ''];
    if (add === undefined) throw new Error(`load_group returned a row of kind ${kind}`);
    add(loaded, fields as string, Number(number));
  }
  return loaded;
}

/** Ids drawn from a sequence; `next` returns them in ascending order. */
export class SequenceIds {
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

const paidAmounts = new SqlFunction('paid_amounts', ['bets']);

/** Notes in settled bets what their transactions have moved. Only corrections load settled bets, so no other group asks. */
export async function notePaidAmounts(tx: Tx, bets: readonly Pick<LoadedBet, 'accountId' | 'bet'>[]): Promise<void> {
  const settled = bets.filter(({ bet }) => bet.settledOutcome !== null);
  if (settled.length === 0) return;
  const keys = settled.map(({ accountId, bet: { id } }) => ({ accountId, id }));
  const rows = await paidAmounts.call(tx, { bets: rowKey.literal(keys) });
  const amounts = new Map(rows.map(([accountId, id, paid]) => [`${accountId} ${id}`, paid]));
  for (const { accountId, bet } of settled) {
    const paid = amounts.get(`${accountId} ${bet.id}`);
    bet.paid = paid == null ? null : (BigInt(paid) as Micros);
  }
}
