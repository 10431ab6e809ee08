import { type Micros, type OddsMicros, ZERO } from '#core/money.js';
import type { DecidedOutcome, OfferStatus, Outcome } from '#core/outcome.js';
import type { Bet } from '#core/records.js';
import { bigintsOf } from '#platform/database/array-literal.js';
import { Prisma } from '#platform/database/database.js';
import type { TextRow } from '#platform/database/statements.js';

/** A bet as the statements of this folder read it. */
export interface BetRow {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly wagerId: bigint;
  readonly requestingUserId: bigint;
  readonly acceptingUserId: bigint | null;
  readonly requestingOdds: bigint;
  readonly requestingAmount: bigint;
  readonly effectiveOdds: bigint | null;
  readonly effectiveAmount: bigint | null;
  readonly allowedAcceptorIds: bigint[];
  readonly queuePlace: bigint;
  readonly offerStatus: string;
  readonly overrideOutcome: string | null;
  readonly settledOutcome: string | null;
  readonly isActive: boolean;
  readonly sparedUpTo: bigint | null;
}

export const betColumns = Prisma.sql`b.account_id AS "accountId", b.id, b.wager_id AS "wagerId",
  b.requesting_user_id AS "requestingUserId", b.accepting_user_id AS "acceptingUserId",
  b.requesting_odds AS "requestingOdds", b.requesting_amount AS "requestingAmount",
  b.effective_odds AS "effectiveOdds", b.effective_amount AS "effectiveAmount",
  b.allowed_acceptor_ids AS "allowedAcceptorIds", b.queue_place AS "queuePlace", b.offer_status AS "offerStatus",
  b.override_outcome AS "overrideOutcome", b.settled_outcome AS "settledOutcome", b.is_active AS "isActive",
  b.spared_up_to AS "sparedUpTo"`;

export function betOf(row: BetRow): Bet {
  return {
    id: row.id,
    wagerId: row.wagerId,
    requestingUserId: row.requestingUserId,
    requestingOdds: row.requestingOdds as OddsMicros,
    requestingAmount: row.requestingAmount as Micros,
    allowedAcceptorIds: row.allowedAcceptorIds,
    queuePlace: row.queuePlace,
    offerStatus: row.offerStatus as OfferStatus,
    acceptingUserId: row.acceptingUserId,
    effectiveOdds: row.effectiveOdds as OddsMicros | null,
    effectiveAmount: row.effectiveAmount as Micros | null,
    overrideOutcome: row.overrideOutcome as Outcome | null,
    settledOutcome: row.settledOutcome as DecidedOutcome | null,
    isActive: row.isActive,
    sparedUpTo: row.sparedUpTo,
    paid: ZERO,
  };
}

const bigintOrNull = (text: string | null | undefined): bigint | null => (text == null ? null : BigInt(text));

/** Of a row of `betColumns` as PostgreSQL wrote it. */
export function betOfText(row: TextRow): Bet {
  const [accountId, id, wagerId, requestingUserId, acceptingUserId, requestingOdds, requestingAmount, ...rest] = row;
  const [effectiveOdds, effectiveAmount, allowed, queuePlace, offerStatus, ...state] = rest;
  const [overrideOutcome = null, settledOutcome = null, isActive, sparedUpTo] = state;
  return betOf({
    accountId: BigInt(accountId as string),
    id: BigInt(id as string),
    wagerId: BigInt(wagerId as string),
    requestingUserId: BigInt(requestingUserId as string),
    acceptingUserId: bigintOrNull(acceptingUserId),
    requestingOdds: BigInt(requestingOdds as string),
    requestingAmount: BigInt(requestingAmount as string),
    effectiveOdds: bigintOrNull(effectiveOdds),
    effectiveAmount: bigintOrNull(effectiveAmount),
    allowedAcceptorIds: bigintsOf(allowed as string),
    queuePlace: BigInt(queuePlace as string),
    offerStatus: offerStatus as string,
    overrideOutcome,
    settledOutcome,
    isActive: isActive === 't',
    sparedUpTo: bigintOrNull(sparedUpTo),
  });
}
