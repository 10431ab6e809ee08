import { AMOUNT_MAX_MICROS, asMicros, type Micros, minimumOf, ODDS_ONE, type OddsMicros, ZERO } from '#core/money.js';
import type { Needs, OwnOffersNeed, UserIdentifier } from '#core/needs.js';
import type { OddsRange } from '#core/offers.js';
import type { Outcome } from '#core/outcome.js';
import type { Bet } from '#core/records.js';
import type { KeyedRequest } from '#idempotency/stored-answers.js';
import { records, scalars } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { runPrepared } from '#platform/database/statements.js';
import { type LoadedGroup, loadedGroupOf } from './loaded-rows.js';

/** `skip`: what another transaction holds is passed over and its tasks are set aside. `wait`: the call waits for it. */
export type LockMode = 'skip' | 'wait';

/** What an operation of an account needs. */
export interface Need extends Needs {
  readonly accountId: bigint;
}

/** Each property by its name: a spread takes V8 several times as long. */
export const needOf = (accountId: bigint, needs: Needs): Need => ({
  accountId,
  users: needs.users,
  namedUsers: needs.namedUsers,
  wagers: needs.wagers,
  betIds: needs.betIds,
  matchingOffers: needs.matchingOffers,
  ownOffers: needs.ownOffers,
  pendingBets: needs.pendingBets,
  newBets: needs.newBets,
  newWagers: needs.newWagers,
});

/** The first open offers of a wager: those of one user by age, or all in matching order for every acceptor. */
export interface WantedOffers {
  readonly accountId: bigint;
  readonly wagerReference: string;
  /** Null: of all users. */
  readonly requestingUser: UserIdentifier | null;
  readonly odds: OddsRange;
  readonly limit: number;
  /** What the acceptances want to take together. Null: no matter how much the offers make up. */
  readonly amount: Micros | null;
}

interface WantedPending {
  readonly accountId: bigint;
  readonly wagerId: bigint | null;
  readonly wagerReference: string | null;
  readonly outcome: Outcome | null;
  readonly limit: number;
}

/** A user by id or by reference, and perhaps a wager of whose position is wanted: by id, by reference or by a bet. */
export interface WantedUser {
  readonly accountId: bigint;
  readonly user: UserIdentifier;
  readonly wagerId?: bigint | undefined;
  readonly wagerReference?: string | undefined;
  readonly betId?: bigint;
}

interface WantedWager {
  readonly accountId: bigint;
  readonly id: bigint | null;
  readonly reference: string | null;
  readonly mayCreate: boolean;
}

export interface GroupRequest {
  readonly accountIds: readonly bigint[];
  readonly wagers: readonly WantedWager[];
  readonly bets: readonly { readonly accountId: bigint; readonly id: bigint }[];
  readonly offers: readonly WantedOffers[];
  readonly pending: readonly WantedPending[];
  readonly users: readonly WantedUser[];
  readonly named: readonly WantedUser[];
  readonly keys: readonly KeyedRequest[];
  readonly newBets: number;
}

/** Offers in the first slice of a wager at most: a base, and what one more acceptance is likely to take. */
const SLICE_BASE = 4;
const SLICE_FOR_EACH = 2;
export const SLICE_MAX = 1_000;
/** `load_bets` loads so many offers beyond the amount, for acceptors whose own offers are among the first. */
const SPARE_OFFERS = 1;
/** Offers of one user in the first slice of a cancel; a cancel of more loads further slices. */
const OWN_SLICE = 500;

export function requestOf(needs: readonly Need[], keys: readonly KeyedRequest[]): GroupRequest {
  return {
    accountIds: [...new Set(needs.map(({ accountId }) => accountId))],
    wagers: wantedWagers(needs),
    bets: needs.flatMap(({ accountId, betIds }) => betIds.map((id) => ({ accountId, id }))),
    offers: [...matchingOffers(needs), ...ownOffers(needs)],
    pending: needs.flatMap(({ accountId, pendingBets }) => {
      if (pendingBets === null) return [];
      const { wager, outcome, limit } = pendingBets;
      const wagerId = 'id' in wager ? wager.id : null;
      const wagerReference = 'id' in wager ? null : wager.reference;
      return [{ accountId, wagerId, wagerReference, outcome, limit }];
    }),
    users: needs.flatMap(actingUsers),
    named: needs.flatMap(({ accountId, namedUsers }) =>
      namedUsers.flatMap(eachName).map((user) => ({ accountId, user })),
    ),
    keys,
    newBets: needs.reduce((sum, need) => sum + need.newBets, 0),
  };
}

/** Each wager once. */
function wantedWagers(needs: readonly Need[]): WantedWager[] {
  const wanted = new Map<string, WantedWager>();
  for (const { accountId, wagers, newWagers } of needs) {
    for (const wager of wagers) {
      const id = 'id' in wager ? wager.id : null;
      const reference = 'id' in wager ? null : wager.reference;
      const key = `${accountId} ${id ?? ''} ${reference ?? ''}`;
      const mayCreate = (reference !== null && newWagers > 0) || wanted.get(key)?.mayCreate === true;
      wanted.set(key, { accountId, id, reference, mayCreate });
    }
  }
  return [...wanted.values()];
}

interface MatchingSlice extends WantedOffers {
  readonly odds: { readonly minimumOdds: null; readonly maximumOdds: OddsMicros };
  readonly amount: Micros;
}

/** One slice per wager, shared by all acceptances on it. */
function matchingOffers(needs: readonly Need[]): WantedOffers[] {
  const slices = new Map<string, MatchingSlice>();
  for (const { accountId, matchingOffers: wanted } of needs) {
    if (wanted === null) continue;
    const { wagerReference, maximumOdds: odds } = wanted;
    const key = `${accountId} ${wagerReference}`;
    const known = slices.get(key) ?? { odds: { maximumOdds: ODDS_ONE }, limit: SLICE_BASE, amount: ZERO };
    const maximumOdds = odds > known.odds.maximumOdds ? odds : known.odds.maximumOdds;
    const limit = Math.min(known.limit + SLICE_FOR_EACH, SLICE_MAX);
    const range = { minimumOdds: null, maximumOdds };
    const amount = minimumOf(asMicros(known.amount + wanted.amount), AMOUNT_MAX_MICROS);
    slices.set(key, { accountId, wagerReference, requestingUser: null, odds: range, limit, amount });
  }
  return [...slices.values()];
}

/** Whether the slice ends before the wager's offers of these odds may do. */
export function isCut({ limit, amount }: WantedOffers, slice: readonly Bet[]): boolean {
  if (slice.length >= limit) return true;
  if (amount === null) return false;
  const counted = slice.slice(0, -SPARE_OFFERS);
  return counted.reduce((sum, { requestingAmount }) => sum + requestingAmount, 0n) >= amount;
}

function ownOffers(needs: readonly Need[]): WantedOffers[] {
  return needs.flatMap(({ accountId, ownOffers: wanted }) => (wanted === null ? [] : ownSlices(accountId, wanted)));
}

const ownSlices = (accountId: bigint, { wagerReferences, requestingUser, ...range }: OwnOffersNeed): WantedOffers[] =>
  [...new Set(wagerReferences)].map((wagerReference) => ({
    ...{ accountId, wagerReference, requestingUser, limit: OWN_SLICE, amount: null },
    odds: { minimumOdds: range.minimumOdds, maximumOdds: range.maximumOdds },
  }));

/** The two may name different users. */
const eachName = ({ id, reference }: UserIdentifier): UserIdentifier[] => [
  ...(id === undefined ? [] : [{ id }]),
  ...(reference === undefined ? [] : [{ reference }]),
];

/** The acting users, each with its position in every wager that the operation names directly or by a bet. */
function actingUsers({ accountId, users, wagers, betIds }: Need): WantedUser[] {
  const wanted: WantedUser[] = [];
  for (const user of users.flatMap(eachName)) {
    for (const wager of wagers) {
      if ('id' in wager) wanted.push({ accountId, user, wagerId: wager.id });
      else wanted.push({ accountId, user, wagerReference: wager.reference });
    }
    for (const betId of betIds) wanted.push({ accountId, user, betId });
    if (wagers.length + betIds.length === 0) wanted.push({ accountId, user });
  }
  return wanted;
}

const TEXT = `SELECT * FROM load_group($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Locks and reads everything that the request names, in one call of the function `load_group`. */
export async function loadGroup(tx: Tx, request: GroupRequest, lockMode: LockMode): Promise<LoadedGroup> {
  const { accountIds, wagers, bets, offers, pending, users, named, keys, newBets } = request;
  const values = [
    lockMode === 'wait',
    scalars(accountIds),
    records(wagers, ({ accountId, id, reference, mayCreate }) => [accountId, id, reference, mayCreate]),
    records(bets, ({ accountId, id }) => [accountId, id]),
    records(offers, ({ accountId, wagerReference, requestingUser, odds, limit, amount }) => [
      ...[accountId, wagerReference, requestingUser !== null, requestingUser?.id ?? null],
      ...[requestingUser?.reference ?? null, odds.minimumOdds, odds.maximumOdds, limit, amount],
    ]),
    records(pending, ({ accountId, wagerId, wagerReference, outcome, limit }) => [
      ...[accountId, wagerId, wagerReference, outcome, limit],
    ]),
    userRecords(users),
    userRecords(named),
    records(keys, ({ accountId, key }) => [accountId, key]),
    newBets,
  ];
  return loadedGroupOf(await runPrepared(tx, { name: 'load group', text: TEXT, values }));
}

const userRecords = (users: readonly WantedUser[]): string | null =>
  records(users, ({ accountId, user, wagerId, wagerReference, betId }) => [
    ...[accountId, user.id ?? null, user.reference ?? null, wagerId ?? null, wagerReference ?? null, betId ?? null],
  ]);
