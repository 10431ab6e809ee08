import type { OddsMicros } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import { type EventMark, logHeadOf, markOfHead } from '#events/event-position.js';
import type { CancelingOffers, StoredPendingCancel } from '#ledger/row-types.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { isOpenSql, listedBets } from './bet-conditions.js';
import type { LogEvent } from './event.js';
import { wagerIdsOf } from './ids-by-reference.js';

/** An open offer, as far as order books show it. */
export interface OpenOffer {
  readonly id: bigint;
  readonly odds: OddsMicros;
  readonly amount: bigint;
  readonly userId: bigint;
  /** Empty: every user may accept it. */
  readonly allowedAcceptorIds: readonly bigint[];
  readonly queuePlace: bigint;
  readonly createdAt: Date;
  readonly cancelOnSuspend: boolean;
}

const NAMED_IN_ONE = 10;

/** How much of a book an offer takes: one, and one more for every ten users that it names. */
export const sizeOf = ({ allowedAcceptorIds }: OpenOffer): number =>
  1 + Math.floor(allowedAcceptorIds.length / NAMED_IN_ONE);

const size = Prisma.sql`1 + cardinality(listed.allowed_acceptor_ids) / ${Prisma.raw(String(NAMED_IN_ONE))}`;

export interface OpenOffers {
  readonly reference: string;
  readonly outcome: Outcome;
  /** In the order of their times. */
  readonly offers: readonly OpenOffer[];
  /** The offers are as the events up to here have made them. */
  readonly asOf: EventMark;
}

interface OfferRow extends Omit<OpenOffer, 'id'> {
  readonly reference: string;
  readonly outcome: Outcome;
  readonly pendingCancels: readonly StoredPendingCancel[] | null;
  readonly logHead: string | null;
  /** NULL, like the other columns of the offer: there is none. */
  readonly id: bigint | null;
  /** A cancel of a later position takes the offer. */
  readonly openSince: bigint;
}

export function isCanceledBy(offer: OpenOffer, cancel: CancelingOffers): boolean {
  const { userId, odds, queuePlace, id } = offer;
  if (cancel.user_id !== null && userId !== BigInt(cancel.user_id)) return false;
  if (cancel.only_on_suspend === true && !offer.cancelOnSuspend) return false;
  if (cancel.minimum_odds !== null && odds < cancel.minimum_odds) return false;
  if (cancel.maximum_odds !== null && odds > cancel.maximum_odds) return false;
  const upTo = BigInt(cancel.queue_place);
  return queuePlace < upTo || (queuePlace === upTo && id <= BigInt(cancel.bet_id));
}

/** The offer of an event about one. */
export const offerOf = ({ bet }: LogEvent): OpenOffer | undefined =>
  bet && {
    id: bet.id,
    odds: bet.requestingOdds,
    amount: bet.requestingAmount,
    userId: bet.requestingUserId,
    allowedAcceptorIds: bet.allowedAcceptorIds,
    queuePlace: bet.queuePlace,
    createdAt: bet.createdAt,
    cancelOnSuspend: bet.cancelOnSuspend,
  };

export async function readWagerId(tables: AccountTables | Tx, accountId: bigint, reference: string): Promise<bigint> {
  const [wagerId] = (await wagerIdsOf(tables, [accountId], [reference])) ?? [];
  if (wagerId === undefined) throw new Refusal('wager-not-found');
  return wagerId;
}

export interface OpenOffersRequest {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly maxSize: number;
}

/**
 * All open offers of a wager, with those of a decided wager: a correction may show them again without an event of each. One
 * statement reads them and the head of the log. PostgreSQL sends one offer beyond the size at most, and the read is refused.
 */
export async function readOpenOffers(tables: AccountTables | Tx, request: OpenOffersRequest): Promise<OpenOffers> {
  const { accountId, wagerId, maxSize } = request;
  const rows = await queryRows<OfferRow>(
    tables,
    Prisma.sql`
    SELECT w.reference, w.outcome, w.pending_cancels AS "pendingCancels", ${logHeadOf(accountId)} AS "logHead", offer.*
      FROM wagers w
      LEFT JOIN LATERAL (
        SELECT sized.* FROM (
          SELECT sum(${size}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS "sizeBefore",
                 listed.id, listed.requesting_odds AS odds, listed.requesting_amount AS amount,
                 listed.requesting_user_id AS "userId", listed.allowed_acceptor_ids AS "allowedAcceptorIds",
                 listed.queue_place AS "queuePlace", listed.created_at AS "createdAt",
                 listed.cancel_on_suspend AS "cancelOnSuspend",
                 greatest(listed.id, listed.spared_up_to) AS "openSince"
            FROM ${listedBets}
           WHERE ${Prisma.join([Prisma.sql`listed.account_id = ${accountId}`, Prisma.sql`listed.wager_id = ${wagerId}`, isOpenSql], ' AND ')}
           LIMIT ${maxSize + 1}) AS sized
         WHERE coalesce(sized."sizeBefore", 0) <= ${maxSize}) AS offer ON TRUE
     WHERE w.account_id = ${accountId} AND w.id = ${wagerId} ORDER BY offer."createdAt", offer.id`,
  );
  const [first] = rows;
  if (first === undefined) throw new Refusal('wager-not-found');
  const { reference, outcome, pendingCancels, logHead } = first;
  const found = rows.flatMap(({ id, openSince, ...row }) => {
    const { odds, amount, userId, allowedAcceptorIds, queuePlace, createdAt, cancelOnSuspend } = row;
    const offer = { odds, amount, userId, allowedAcceptorIds, queuePlace, createdAt, cancelOnSuspend };
    return id === null ? [] : [{ offer: { id, ...offer }, openSince }];
  });
  if (found.reduce((sum, { offer }) => sum + sizeOf(offer), 0) > maxSize) throw new Refusal('book-too-large');
  const isLeft = ({ offer, openSince }: (typeof found)[number]) =>
    !(pendingCancels ?? []).some((cancel) => openSince < BigInt(cancel.position) && isCanceledBy(offer, cancel));
  const offers = found.filter(isLeft).map(({ offer }) => offer);
  return { reference, outcome, offers, asOf: markOfHead(logHead) };
}
