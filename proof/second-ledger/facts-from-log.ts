import type { ShownEvent as LogEvent } from '#apps/api/routes/events/event.js';
import type { Outcome, WagerStatus } from '#core/records.js';
import { type BetFacts, type Facts, FIRST_BET_ID, NEW_BET, newWagerFacts, type UserFacts } from './facts.js';

/*
 * The facts of an account, from its event log alone: what a business can rebuild without asking for anything else. Not one
 * figure is taken over from the events: the second ledger computes them all.
 */

const millionths = (value: number): bigint => BigInt(Math.round(value * 1e6));

interface GrowingFacts extends Facts {
  decimals: number | null;
  readonly users: UserFacts[];
}

const wagerNamed = (facts: Facts, { wager }: LogEvent) => {
  const found = facts.wagers.find(({ id }) => id === BigInt(wager?.id ?? 0));
  if (found === undefined) throw new Error(`the log has no wager ${wager?.id}`);
  return found;
};

const betNamed = (facts: Facts, { bet }: LogEvent): BetFacts => {
  const found = facts.bets.find(({ id }) => id === BigInt(bet?.id ?? 0));
  if (found === undefined) throw new Error(`the log has no offer of bet ${bet?.id}`);
  return found;
};

type Apply = (facts: GrowingFacts, event: LogEvent) => void;

const decide: Apply = (facts, event) => {
  const wager = wagerNamed(facts, event);
  wager.outcome = event.wager?.outcome ?? 'undecided';
  wager.isSettling = true;
};

/** The wager's outcome of that moment has reached the bet. */
const reach: Apply = (facts, event) => {
  betNamed(facts, event).reachedBy = wagerNamed(facts, event).outcome;
};

const setActive =
  (isActive: boolean): Apply =>
  (facts, event) => {
    betNamed(facts, event).isActive = isActive;
    reach(facts, event);
  };

const override: Apply = (facts, event) => {
  const outcome: Outcome | null = event.bet?.override_outcome ?? null;
  // Only an admin's override takes a matched bet from its status; a decision that voids it leaves it as it was.
  const isForced = event.bet?.offer_status !== 'accepted';
  betNamed(facts, event).override = outcome === null ? null : { outcome, isForced };
  reach(facts, event);
};

const offer: Apply = (facts, { bet, wager }) => {
  if (bet === undefined || wager === undefined) throw new Error('an offer without a bet');
  facts.bets.push({
    id: BigInt(bet.id),
    wagerId: BigInt(wager.id),
    requesterId: BigInt(bet.requesting_user_id),
    odds: millionths(bet.requesting_odds),
    amount: millionths(bet.requesting_amount),
    allowedAcceptorIds: (bet.allowed_acceptor_ids ?? []).map(BigInt),
    queuePlace: BigInt(bet.id),
    // No figure follows from when an offer ends.
    expiresAt: null,
    endsOnSuspend: false,
    ...NEW_BET,
  });
};

const match: Apply = (facts, event) => {
  const { accepting_user_id: acceptorId, effective_amount: amount } = event.bet ?? {};
  if (acceptorId == null || amount == null) throw new Error('a match without an acceptor');
  betNamed(facts, event).acceptance = { acceptorId: BigInt(acceptorId), amount: millionths(amount), at: null };
};

const move: Apply = (facts, { transactions = [] }) => {
  for (const { user_id, amount, transaction_type, own_reference: ownReference } of transactions) {
    const sign = transaction_type === 'debit' ? -1n : 1n;
    facts.payments.push({ userId: BigInt(user_id), amount: sign * millionths(amount), ownReference });
  }
};

const setStatus =
  (status: WagerStatus): Apply =>
  (facts, event) => {
    const statusReason = status === 'open' ? null : (event.reason ?? null);
    Object.assign(wagerNamed(facts, event), { status, statusReason });
  };

/** In milliseconds, as requests have it. */
const momentIn = (text: string | null): bigint | null => (text === null ? null : BigInt(Date.parse(text)) * 1_000n);

const schedule: Apply = (facts, event) => {
  const { closes_at: closesAt, starts_at: startsAt, event: label } = event.wager ?? {};
  const wager = wagerNamed(facts, event);
  if (closesAt !== undefined) wager.closesAt = momentIn(closesAt);
  if (startsAt !== undefined) wager.startsAt = momentIn(startsAt);
  if (label !== undefined) wager.event = label;
};

const nothing: Apply = () => undefined;

/** The compiler requires every type here. */
const appliers: Record<LogEvent['type'], Apply> = {
  'log.opened': nothing,
  'user.created': (facts, { user }) =>
    facts.users.push({
      id: BigInt(user?.id ?? 0),
      reference: user?.reference ?? '',
      allowNegativeBalance: null,
      startBalance: 0n,
    }),
  'user.updated': nothing,
  'user.disputed': nothing,
  'user.undisputed': nothing,
  'account.updated': (facts, { account }) => {
    if (account?.decimals !== undefined) facts.decimals = account.decimals;
  },
  'transaction.created': move,
  'wager.created': (facts, { wager }) =>
    facts.wagers.push(newWagerFacts(BigInt(wager?.id ?? 0), wager?.reference ?? '')),
  'wager.decided': decide,
  'wager.corrected': decide,
  'wager.settled': (facts, event) => {
    wagerNamed(facts, event).isSettling = false;
  },
  'wager.canceling': nothing,
  'wager.suspended': setStatus('suspended'),
  'wager.resumed': setStatus('open'),
  'wager.closed': setStatus('closed'),
  'wager.changed': schedule,
  'offer.made': offer,
  'offer.matched': match,
  'offer.canceled': (facts, event) => {
    betNamed(facts, event).isCanceled = true;
  },
  'offer.expired': (facts, event) => {
    if (event.reason === 'time') betNamed(facts, event).isTimedOut = true;
    else reach(facts, event);
  },
  'offer.reopened': reach,
  'bet.settled': reach,
  'bet.unsettled': reach,
  'bet.overridden': override,
  'bet.activated': setActive(true),
  'bet.deactivated': setActive(false),
  'webhook.created': nothing,
  'webhook.updated': nothing,
  'webhook.disabled': nothing,
  'webhook.deleted': nothing,
  'change_request.created': nothing,
  'change_request.approved': nothing,
  'change_request.executed': nothing,
  'change_request.rejected': nothing,
  'change_request.withdrawn': nothing,
  'change_request.expired': nothing,
  'change_request.failed': nothing,
};

export type { LogEvent };

/** The facts after these events, which are the first ones of the log. */
export function factsFromLog(events: readonly LogEvent[]): Facts {
  const none = { users: [], wagers: [], bets: [], payments: [] };
  const facts: GrowingFacts = {
    allowNegativeBalance: false,
    decimals: null,
    now: 0n,
    ...none,
    nextBetId: FIRST_BET_ID,
  };
  for (const event of events) appliers[event.type](facts, event);
  return facts;
}
