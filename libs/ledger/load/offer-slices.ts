import type { OddsMicros } from '#core/money.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { type BetRow, betColumns } from './bet-rows.js';

/** The first open offers of a wager in matching order, for all acceptors. */
export interface MatchingSlice {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly maximumOdds: OddsMicros;
  readonly limit: number;
}

/** One user's open offers in one wager, oldest first. */
export interface OwnSlice {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly requestingUserId: bigint | null;
  readonly requestingUserReference: string | null;
  readonly minimumOdds: OddsMicros | null;
  readonly maximumOdds: OddsMicros | null;
  readonly limit: number;
}

export interface SliceRequest {
  readonly betIds: readonly { readonly accountId: bigint; readonly betId: bigint }[];
  readonly matching: readonly MatchingSlice[];
  readonly own: readonly OwnSlice[];
}

export interface SlicedBet extends BetRow {
  readonly kind: 'named' | 'matching' | 'own';
  /** Index of the requested slice that holds the bet. */
  readonly slice: number;
}

export interface LoadedSlices {
  readonly rows: readonly SlicedBet[];
  readonly matching: readonly MatchingSlice[];
  readonly own: readonly OwnSlice[];
}

/** Bets by id and first slices, for any number of operations in one statement. The caller holds the locks of their wagers. */
export async function loadSlices(tx: Tx, request: SliceRequest): Promise<SlicedBet[]> {
  const { betIds, matching, own } = request;
  return tx.$queryRaw<SlicedBet[]>`/* prepared: load offers */
    SELECT 'named' AS kind, 0 AS slice, ${betColumns}
      FROM unnest(${scalars(betIds.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(betIds.map(({ betId }) => betId))}::bigint[]) AS n (account_id, id)
      JOIN bets b ON b.account_id = n.account_id AND b.id = n.id
    UNION ALL
    SELECT 'matching', (n.place - 1)::int, ${betColumns}
      FROM unnest(${scalars(matching.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(matching.map(({ wagerId }) => wagerId))}::bigint[],
                  ${scalars(matching.map(({ maximumOdds }) => maximumOdds))}::bigint[],
                  ${scalars(matching.map(({ limit }) => limit))}::int[])
           WITH ORDINALITY AS n (account_id, wager_id, maximum_odds, bound, place)
     CROSS JOIN LATERAL (
       SELECT o.* FROM bets o
        WHERE o.account_id = n.account_id AND o.wager_id = n.wager_id AND o.requesting_odds <= n.maximum_odds
          AND o.offer_status = 'requesting' AND o.is_active
        ORDER BY o.requesting_odds, o.queue_place, o.id LIMIT n.bound) b
    UNION ALL
    SELECT 'own', (n.place - 1)::int, ${betColumns}
      FROM unnest(${scalars(own.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(own.map(({ wagerId }) => wagerId))}::bigint[],
                  ${scalars(own.map(({ requestingUserId }) => requestingUserId))}::bigint[],
                  ${texts(own.map(({ requestingUserReference }) => requestingUserReference))}::text[],
                  ${scalars(own.map(({ minimumOdds }) => minimumOdds))}::bigint[],
                  ${scalars(own.map(({ maximumOdds }) => maximumOdds))}::bigint[],
                  ${scalars(own.map(({ limit }) => limit))}::int[])
           WITH ORDINALITY AS n (account_id, wager_id, user_id, user_reference, minimum_odds, maximum_odds, bound, place)
     CROSS JOIN LATERAL (
       SELECT o.* FROM bets o
        WHERE o.account_id = n.account_id AND o.wager_id = n.wager_id
          AND o.requesting_user_id = coalesce(n.user_id,
                (SELECT u.id FROM users u WHERE u.account_id = n.account_id AND u.reference = n.user_reference))
          AND o.offer_status = 'requesting' AND o.is_active
          AND (n.minimum_odds IS NULL OR o.requesting_odds >= n.minimum_odds)
          AND (n.maximum_odds IS NULL OR o.requesting_odds <= n.maximum_odds)
        ORDER BY o.queue_place, o.id LIMIT n.bound) b`;
}
