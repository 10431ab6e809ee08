import { type Micros, numberFromMicros, type OddsMicros } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import { encodePosition } from '#events/event-position.js';
import type { CancelingOffers } from '#ledger/row-types.js';
import type { EventBet, EventTransaction, LogEvent } from './event.js';

// An event as callers see it: the API answers it, and webhooks send it. The schemas of the API describe it.

interface StoredFigure {
  readonly figure: 'balance' | 'exposure' | 'win' | 'loss' | 'offered';
  readonly wager_id: number | null;
  readonly stored: string;
  readonly recomputed: string;
}

const numberOrNull = (value: Micros | OddsMicros | null) => (value === null ? null : numberFromMicros(value));
const idOrNull = (found: bigint | null) => (found === null ? null : Number(found));
const oddsOf = (stored: number | null) => numberOrNull(stored === null ? null : (BigInt(stored) as OddsMicros));

const showCanceling = (stored: CancelingOffers) => ({
  user_id: stored.user_id,
  minimum_odds: oddsOf(stored.minimum_odds),
  maximum_odds: oddsOf(stored.maximum_odds),
  only_on_suspend: stored.only_on_suspend,
  up_to: { queue_place: stored.queue_place, bet_id: stored.bet_id },
});

const showFigure = ({ figure, wager_id, stored, recomputed }: StoredFigure) => ({
  figure,
  wager_id,
  stored: numberFromMicros(BigInt(stored) as Micros),
  recomputed: numberFromMicros(BigInt(recomputed) as Micros),
});

// biome-ignore lint/suspicious/noExplicitAny: the schema of the API says what each detail is
type Details = Record<string, any>;

interface WagerExtra {
  readonly outcome?: Outcome;
  readonly closes_at?: string | null;
  readonly event?: string | null;
  readonly starts_at?: string | null;
  readonly void_matched_after?: string;
}

const NO_WAGER_FACTS = {
  outcome: undefined,
  closes_at: undefined,
  event: undefined,
  starts_at: undefined,
  void_matched_after: undefined,
};

const shownMoment = <Absent extends null | undefined>(stored: string | Absent): string | Absent =>
  typeof stored === 'string' ? momentText(BigInt(stored)) : stored;

function wagerOf({ bet, wager: found, extra }: LogEvent) {
  if (bet !== undefined) {
    return { id: Number(bet.wagerId), reference: bet.wagerReference, ...NO_WAGER_FACTS };
  }
  const {
    outcome,
    closes_at: closesAt,
    event,
    starts_at: startsAt,
    void_matched_after: voidsAfter,
  } = extra as WagerExtra;
  const shown = {
    outcome,
    closes_at: shownMoment(closesAt),
    event,
    starts_at: shownMoment(startsAt),
    void_matched_after: shownMoment(voidsAfter),
  };
  return found && { id: Number(found.id), reference: found.reference, ...shown };
}

const NO_DETAILS: Details = {};

/** What is about something else than a bet. */
function detailsOf({ type, ref, extra, bet }: LogEvent): Details {
  if (bet !== undefined) return NO_DETAILS;
  if (type === 'account.updated') return { account: extra };
  if (type === 'wager.canceling') return { canceling: showCanceling(extra.canceling as CancelingOffers) };
  if (type.startsWith('webhook.')) return { webhook_endpoint: { id: Number(ref), ...extra } };
  if (type.startsWith('change_request.')) return { change_request: { id: Number(ref), ...extra } };
  if (type === 'user.disputed') {
    const { figures, ...ofUser } = extra as { readonly figures: StoredFigure[] };
    return { user: { id: Number(ref), ...ofUser }, disputed: figures.map(showFigure) };
  }
  if (type === 'transaction.created' && extra.differences !== undefined) {
    return { differences: (extra.differences as StoredFigure[]).map(showFigure) };
  }
  if (type.startsWith('user.')) return { user: { id: Number(ref), ...extra } };
  if (type !== 'log.opened') return NO_DETAILS;
  const { users, wagers, bets, transactions } = extra as Record<string, number>;
  return { opened: { users, wagers, bets, transactions } };
}

const MICROSECONDS_IN_MS = 1_000n;

let lastMoment = { at: -1n, text: '' };

/** JavaScript's dates have milliseconds. The events of one transaction have the same time, and stand together. */
export function momentText(at: bigint): string {
  if (at !== lastMoment.at) lastMoment = { at, text: newMomentText(at) };
  return lastMoment.text;
}

function newMomentText(at: bigint): string {
  const whole = new Date(Number(at / MICROSECONDS_IN_MS)).toISOString().slice(0, -1);
  return `${whole}${String(at % MICROSECONDS_IN_MS).padStart(3, '0')}Z`;
}

const showTransaction = (found: EventTransaction) => ({
  id: Number(found.id),
  user_id: Number(found.userId),
  reference: found.reference,
  amount: numberFromMicros(found.amount),
  description: found.description,
  transaction_type: found.transactionType,
  transaction_source: found.transactionSource,
  balance_after: numberFromMicros(found.balanceAfter),
  own_reference: found.ownReference ?? undefined,
  meta: found.meta ?? undefined,
});

function showBet(bet: EventBet, restBetId: unknown) {
  const { allowedAcceptorIds: allowedIds } = bet;
  return {
    id: Number(bet.id),
    offer_status: bet.offerStatus,
    outcome: bet.outcome,
    override_outcome: bet.overrideOutcome,
    requesting_user_id: Number(bet.requestingUserId),
    requesting_odds: numberFromMicros(bet.requestingOdds),
    requesting_amount: numberFromMicros(bet.requestingAmount),
    accepting_user_id: idOrNull(bet.acceptingUserId),
    effective_odds: numberOrNull(bet.effectiveOdds),
    effective_amount: numberOrNull(bet.effectiveAmount),
    allowed_acceptor_ids: allowedIds.length === 0 ? undefined : allowedIds.map(Number),
    rest_bet_id: restBetId === undefined ? undefined : Number(restBetId),
    meta: bet.meta ?? undefined,
  };
}

/** Why an offer ended by itself, and why a business suspended or closed a wager. A pending cancel says it of its offers. */
function reasonOf({ type, extra }: LogEvent): string | undefined {
  if (type === 'wager.canceling') return (extra.canceling as CancelingOffers).reason;
  return type.startsWith('offer.') || type.startsWith('wager.') ? (extra.reason as string | undefined) : undefined;
}

/** JSON leaves out what is undefined. */
export function presentEvent(accountId: bigint, found: LogEvent) {
  const { bet, transactions, extra } = found;
  const { kind, accountId: callerId, apiKeyId, operatorId, name } = found.actor;
  const { canceling, user, account, disputed, differences, webhook_endpoint, change_request, opened } =
    detailsOf(found);
  return {
    seq: Number(found.seq),
    cursor: encodePosition(accountId, found),
    type: found.type,
    at: momentText(found.at),
    group: { first: Number(found.firstSeq), last: Number(found.lastSeq) },
    actor: {
      kind,
      account_id: idOrNull(callerId),
      api_key_id: idOrNull(apiKeyId),
      operator_id: idOrNull(operatorId),
      name,
    },
    request_id: found.requestId,
    wager: wagerOf(found),
    reason: reasonOf(found),
    canceling,
    user,
    account,
    disputed,
    differences,
    webhook_endpoint,
    change_request,
    opened,
    bet: bet && showBet(bet, extra.rest_bet_id),
    transactions: transactions.length === 0 ? undefined : transactions.map(showTransaction),
  };
}
