import type { MoreOffers, OddsRange, OfferPlace } from '#core/offers.js';
import type { Bet, PendingCancel } from '#core/records.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { betOfText, betText } from './load-group.js';
import { momentSql } from './pending-bets.js';

export interface MoreOffersRequest {
  readonly accountId: bigint;
  readonly wanted: MoreOffers;
  /** Of each of the wagers, in their order. */
  readonly pendingCancels: readonly (readonly PendingCancel[])[];
  readonly limit: number;
}

export interface NextSlice {
  /** In the order of the scope. */
  readonly offers: readonly Bet[];
  /** How many offers each wager has behind the slice, by its id; counted for a full slice of own offers. */
  readonly behindCounts: ReadonlyMap<bigint, number>;
}

/** One user's offers that are counted at most: a larger number says "at least so many". */
const MAX_COUNTED = 100_000;

const byAge = Prisma.sql`b.queue_place, b.id`;
const byOdds = Prisma.sql`b.requesting_odds, ${byAge}`;

const isByOdds = ({ scope }: MoreOffers): boolean => scope.kind === 'acceptableTo';

const within = ({ minimumOdds, maximumOdds }: OddsRange): Prisma.Sql[] => [
  ...(minimumOdds === null ? [] : [Prisma.sql`b.requesting_odds >= ${minimumOdds}`]),
  ...(maximumOdds === null ? [] : [Prisma.sql`b.requesting_odds <= ${maximumOdds}`]),
];

const both = (conditions: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...conditions], ' AND ');

const ofCancel = (cancel: PendingCancel): Prisma.Sql =>
  both([
    Prisma.sql`greatest(b.id, b.spared_up_to) < ${cancel.position}::bigint`,
    ...(cancel.userId === null ? [] : [Prisma.sql`b.requesting_user_id = ${cancel.userId}`]),
    ...(cancel.onlyOnSuspend ? [Prisma.sql`b.cancel_on_suspend`] : []),
    Prisma.sql`(${byAge}) <= (${cancel.upTo.queuePlace}::bigint, ${cancel.upTo.id}::bigint)`,
    ...within(cancel),
  ]);

/** The conditions of the scope, without the wager. */
function scopeOf({ scope, now }: MoreOffers, pendingCancels: readonly PendingCancel[]): Prisma.Sql[] {
  if (scope.kind === 'canceling') return [ofCancel(scope.cancel)];
  const others = pendingCancels.map((cancel) => Prisma.sql`NOT (${ofCancel(cancel)})`);
  if (scope.kind === 'ownOf') {
    return [Prisma.sql`b.requesting_user_id = ${scope.requestingUserId}`, ...within(scope), ...others];
  }
  if (scope.kind === 'due') return [Prisma.sql`b.expires_at <= ${momentSql(scope.now)}`, ...others];
  const { acceptingUserId: acceptor, requestingUserId: requester } = scope;
  return [
    Prisma.sql`b.requesting_user_id <> ${acceptor}`,
    Prisma.sql`(b.expires_at IS NULL OR b.expires_at > ${momentSql(now)})`,
    Prisma.sql`(b.allowed_acceptor_ids = '{}' OR ${acceptor} = ANY(b.allowed_acceptor_ids))`,
    ...(requester === null ? [] : [Prisma.sql`b.requesting_user_id = ${requester}`]),
    ...others,
  ];
}

/** The comparison is of integers, as the index is: a slice is found in the index, however many come before it. */
const behind = (wanted: MoreOffers, { requestingOdds, queuePlace, id }: OfferPlace): Prisma.Sql => {
  const age = Prisma.sql`${queuePlace}::bigint, ${id}::bigint`;
  return isByOdds(wanted)
    ? Prisma.sql`(${byOdds}) > (${requestingOdds}::bigint, ${age})`
    : Prisma.sql`(${byAge}) > (${age})`;
};

/** The FROM and the WHERE of the offers of each wager, behind the last loaded offer. */
function offersBehind(
  { accountId, wanted, pendingCancels }: MoreOffersRequest,
  after: OfferPlace | null,
): Prisma.Sql[] {
  return wanted.wagerIds.map((wagerId, index) => {
    const conditions = [
      Prisma.sql`b.account_id = ${accountId}::bigint AND b.wager_id = ${wagerId}::bigint`,
      Prisma.sql`b.offer_status = 'requesting' AND b.is_active`,
      ...scopeOf(wanted, pendingCancels[index] ?? []),
      ...within({ minimumOdds: null, maximumOdds: wanted.maximumOdds }),
      ...(after === null ? [] : [behind(wanted, after)]),
    ];
    return Prisma.sql`FROM bets b WHERE ${both(conditions)}`;
  });
}

/** The next slice of a scope, behind the last loaded offer. The caller holds the wagers' locks. */
export async function loadMoreOffers(tx: Tx, request: MoreOffersRequest): Promise<NextSlice> {
  const { wanted, limit } = request;
  const offers = (await queryRows<{ bet: string }>(tx, sliceQuery(request))).map(({ bet }) => betOfText(bet));
  const last = offers.at(-1);
  const isCounted = wanted.scope.kind === 'ownOf' && offers.length === limit;
  return { offers, behindCounts: isCounted && last !== undefined ? await countBehind(tx, request, last) : new Map() };
}

/** Exported for a test of its plan. */
export function sliceQuery(request: MoreOffersRequest): Prisma.Sql {
  const { wanted, limit } = request;
  const order = isByOdds(wanted) ? byOdds : byAge;
  const slices = offersBehind(request, wanted.after).map(
    (from) => Prisma.sql`(SELECT b.* ${from} ORDER BY ${order} LIMIT ${limit})`,
  );
  return Prisma.sql`SELECT ${betText} AS bet FROM (${Prisma.join(slices, ' UNION ALL ')}) b ORDER BY ${order} LIMIT ${limit}`;
}

async function countBehind(tx: Tx, request: MoreOffersRequest, last: OfferPlace): Promise<Map<bigint, number>> {
  const { wagerIds } = request.wanted;
  const counts = offersBehind(request, last).map(
    (from, index) => Prisma.sql`SELECT ${wagerIds[index]}::bigint AS "wagerId", count(*)
      FROM (SELECT ${from} LIMIT ${MAX_COUNTED}) AS behind`,
  );
  const rows = await queryRows<{ wagerId: bigint; count: bigint }>(tx, Prisma.join(counts, ' UNION ALL '));
  return new Map(rows.map(({ wagerId, count }) => [wagerId, Number(count)]));
}
