import { AMOUNT_MAX_MICROS, asMicros, type Micros, minimumOf, ODDS_ONE, type OddsMicros, ZERO } from '#core/money.js';
import type { Needs, OwnOffersNeed, UserIdentifier, WagerIdentifier } from '#core/needs.js';
import type { OddsRange } from '#core/offers.js';
import type { Bet } from '#core/records.js';
import type { KeyedRequest } from '#idempotency/stored-answers.js';
import type { RowOf } from '#platform/database/statements.js';
import type { rowKey, wantedPending, wantedUser, wantedWager } from './row-types.js';

// What the operations of a group need, each thing once: the request that `load-group.ts` loads. Each property of an object by its
// name (docs/decisions/0053-what-v8-likes.md).

/** The needs of an operation, with its account. */
export interface AccountNeeds extends Needs {
  readonly accountId: bigint;
}

export const accountNeedsOf = (accountId: bigint, needs: Needs): AccountNeeds => ({
  accountId,
  users: needs.users,
  namedUsers: needs.namedUsers,
  wagers: needs.wagers,
  betIds: needs.betIds,
  matchingOffers: needs.matchingOffers,
  ownOffers: needs.ownOffers,
  pendingBets: needs.pendingBets,
  ownReferences: needs.ownReferences,
  newBets: needs.newBets,
  newWagers: needs.newWagers,
});

/** The first open offers of a wager: those of one user by age, or all in matching order for every acceptor. */
export interface FirstOffers {
  readonly accountId: bigint;
  readonly wagerReference: string;
  /** Null: of all users. */
  readonly requestingUser: UserIdentifier | null;
  readonly odds: OddsRange;
  readonly limit: number;
  /** What the acceptances want to take together. Null: no matter how much the offers make up. */
  readonly amount: Micros | null;
}

type WantedUser = RowOf<typeof wantedUser>;
type WantedWager = RowOf<typeof wantedWager>;

export interface GroupRequest {
  readonly accountIds: readonly bigint[];
  readonly wagers: readonly WantedWager[];
  readonly bets: readonly RowOf<typeof rowKey>[];
  readonly offers: readonly FirstOffers[];
  readonly pending: readonly RowOf<typeof wantedPending>[];
  /** Those that act. */
  readonly users: readonly WantedUser[];
  /** Only looked up. */
  readonly namedUsers: readonly WantedUser[];
  readonly keys: readonly KeyedRequest[];
  readonly newBets: number;
}

export const NOTHING: GroupRequest = {
  accountIds: [],
  wagers: [],
  bets: [],
  offers: [],
  pending: [],
  users: [],
  namedUsers: [],
  keys: [],
  newBets: 0,
};

/** Offers in the first slice of a wager at most: a base, and what one more acceptance is likely to take. */
const SLICE_BASE = 4;
const SLICE_FOR_EACH = 2;
export const SLICE_MAX = 1_000;
/** `load_bets` loads so many offers beyond the amount, for acceptors whose own offers are among the first. */
const SPARE_OFFERS = 1;
/** Offers of one user in the first slice of a cancel; a cancel of more loads further slices. */
const OWN_SLICE = 500;

export function requestOf(needs: readonly AccountNeeds[], keys: readonly KeyedRequest[]): GroupRequest {
  return {
    accountIds: [...new Set(needs.map(({ accountId }) => accountId))],
    wagers: wantedWagers(needs),
    bets: needs.flatMap(({ accountId, betIds }) => betIds.map((id) => ({ accountId, id }))),
    offers: [...matchingOffers(needs), ...ownOffers(needs)],
    pending: needs.flatMap(({ accountId, pendingBets }) => {
      if (pendingBets === null) return [];
      const { wager, outcome, voidFrom, limit } = pendingBets;
      const wagerId = 'id' in wager ? wager.id : null;
      const wagerReference = 'id' in wager ? null : wager.reference;
      return [{ accountId, wagerId, wagerReference, outcome, voidFrom, bound: limit }];
    }),
    users: eachOnce(needs.flatMap(actingUsers)),
    namedUsers: needs.flatMap(({ accountId, namedUsers }) =>
      namedUsers.flatMap(eachName).map((user) => wantedUserOf(accountId, user)),
    ),
    keys,
    newBets: needs.reduce((sum, need) => sum + need.newBets, 0),
  };
}

/** Each wager once. */
function wantedWagers(needs: readonly AccountNeeds[]): WantedWager[] {
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

interface MatchingSlice extends FirstOffers {
  readonly odds: { readonly minimumOdds: null; readonly maximumOdds: OddsMicros };
  readonly amount: Micros;
}

/** One slice per wager, shared by all acceptances on it. */
function matchingOffers(needs: readonly AccountNeeds[]): FirstOffers[] {
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
export function mayLeaveOffers({ limit, amount }: FirstOffers, slice: readonly Bet[]): boolean {
  if (slice.length >= limit) return true;
  if (amount === null) return false;
  const counted = slice.slice(0, -SPARE_OFFERS);
  return counted.reduce((sum, { requestingAmount }) => sum + requestingAmount, 0n) >= amount;
}

function ownOffers(needs: readonly AccountNeeds[]): FirstOffers[] {
  return needs.flatMap(({ accountId, ownOffers: wanted }) => (wanted === null ? [] : ownSlices(accountId, wanted)));
}

const ownSlices = (accountId: bigint, { wagerReferences, requestingUser, ...odds }: OwnOffersNeed): FirstOffers[] =>
  [...new Set(wagerReferences)].map((wagerReference) => ({
    accountId,
    wagerReference,
    requestingUser,
    limit: OWN_SLICE,
    amount: null,
    odds,
  }));

/** The two may name different users. */
const eachName = ({ id, reference }: UserIdentifier): UserIdentifier[] => [
  ...(id === undefined ? [] : [{ id }]),
  ...(reference === undefined ? [] : [{ reference }]),
];

/** The wager whose position of a user is wanted, by id, by reference or by one of its bets; all null: of none. */
type Place = Pick<WantedUser, 'wagerId' | 'wagerReference' | 'betId'>;

const NO_PLACE: Place = { wagerId: null, wagerReference: null, betId: null };

const placeOf = (wager: WagerIdentifier): Place =>
  'id' in wager
    ? { wagerId: wager.id, wagerReference: null, betId: null }
    : { wagerId: null, wagerReference: wager.reference, betId: null };

/** Without a wager, the user alone is wanted. */
export const wantedUserOf = (accountId: bigint, user: UserIdentifier, wager?: WagerIdentifier): WantedUser =>
  wantedUserAt(accountId, user, wager === undefined ? NO_PLACE : placeOf(wager));

const wantedUserAt = (
  accountId: bigint,
  { id, reference }: UserIdentifier,
  { wagerId, wagerReference, betId }: Place,
): WantedUser => ({ accountId, id: id ?? null, reference: reference ?? null, wagerId, wagerReference, betId });

/** One user may make many offers of a wager. */
export function eachOnce(users: readonly WantedUser[]): readonly WantedUser[] {
  if (users.length === 1) return users;
  const wanted = new Map<string, WantedUser>();
  for (const user of users) {
    const { accountId, id, reference, wagerId, wagerReference, betId } = user;
    wanted.set(`${accountId} ${id} ${wagerId} ${betId} ${reference}\n${wagerReference}`, user);
  }
  return [...wanted.values()];
}

/** The acting users, each with its position in every wager that the operation names directly or by a bet. */
function actingUsers({ accountId, users, wagers, betIds }: AccountNeeds): WantedUser[] {
  const wanted: WantedUser[] = [];
  const places = [...wagers.map(placeOf), ...betIds.map((betId) => ({ wagerId: null, wagerReference: null, betId }))];
  for (const user of users.flatMap(eachName)) {
    for (const place of places.length === 0 ? [NO_PLACE] : places) wanted.push(wantedUserAt(accountId, user, place));
  }
  return wanted;
}
