import type { AcceptedOffer } from '#core/accept-offer.js';
import type { CanceledOffers } from '#core/cancel-offer.js';
import type { MadeOffer } from '#core/make-offer.js';
import type { BatchAnswer, Operation } from '#core/operation.js';
import type { Task, Verdict } from '#proof/second-ledger/second-ledger.js';
import { micros, oddsMicros } from '#tools/shared/amounts.js';
import { type BetRequest, requestsOfBatch, singleRequest } from '../../bet-operations.js';
import { type Answer, type Kind, type Schemas, type Operation as Sent, textOf } from '../../history.js';

/* What a request asks of the ledger, and what its answer says, in the words of the second ledger. */

/** As in the settings of the storm. */
export const SETTLEMENT = { SETTLEMENT_BOUND: '60', SETTLEMENT_CHUNK: '50' } as const;
const BOUND = Number(SETTLEMENT.SETTLEMENT_BOUND);
/** How many offers the API lets one request match or cancel; those of a batch share it. */
const OFFERS_OF_A_REQUEST = 1_000;
/** Who corrects, and why, is of no weight to the rules. */
const action = { adminId: 0n, adminEmail: '', description: null };

const bigintOf = (id: number | null | undefined): bigint | null => (id == null ? null : BigInt(id));
const userOf = (id: number | null | undefined, reference: string | null | undefined) => ({
  id: bigintOf(id) ?? undefined,
  reference: reference ?? undefined,
});
const oddsOf = (odds: number | null | undefined) => (odds == null ? null : oddsMicros(odds));

/** In milliseconds, as bodies have it. */
const momentOf = (time: string): bigint => BigInt(Date.parse(time)) * 1_000n;

type OperationOf = (data: unknown, bound: number, path: string) => Operation;

const pay =
  (type: 'fund_user' | 'withdraw'): OperationOf =>
  (data) => {
    const { user_id, user_reference, amount, reference } = data as Schemas['Fund'];
    const user = userOf(user_id, user_reference);
    return { type, user, amount: micros(amount), description: '', ownReference: reference ?? undefined };
  };

const endOf = ({ expires_at: at, expires_in: inSeconds }: Schemas['MakeOffer']) => {
  if (at != null) return { at: momentOf(at) };
  return inSeconds == null ? null : { inSeconds };
};

/** In a batch the data names the wager; otherwise the path does. */
const wagerOf = (data: unknown, path: string): string =>
  (data as { readonly wager_reference?: string } | undefined)?.wager_reference ?? path.split('/')[2] ?? '';
const reasonOf = (data: unknown): string | null => (data as Schemas['CloseWager'] | undefined)?.reason ?? null;

const setActive =
  (isActive: boolean): OperationOf =>
  (_data, _bound, path) => ({ type: 'set_bet_active', betId: BigInt(path.split('/')[3] ?? 0), isActive, action });

const operations: Partial<Record<Kind, OperationOf>> = {
  'make-offer': (data) => {
    const asked = data as Schemas['MakeOffer'];
    return {
      type: 'make_bet_offer',
      wagerReference: asked.wager_reference,
      requestingUser: userOf(asked.requesting_user_id, asked.requesting_user_reference),
      requestingOdds: oddsMicros(asked.requesting_odds),
      requestingAmount: micros(asked.requesting_amount),
      allowedAcceptorIds: (asked.allowed_acceptor_ids ?? []).map(BigInt),
      allowedAcceptorReferences: asked.allowed_acceptor_references ?? [],
      ends: endOf(asked),
      cancelOnSuspend: asked.persistence === 'cancel_on_suspend',
      meta: null,
    };
  },
  'accept-offer': (data, bound) => {
    const asked = data as Schemas['AcceptOffer'];
    return {
      type: 'accept_bet_offer',
      wagerReference: asked.wager_reference ?? null,
      betId: bigintOf(asked.bet_id),
      acceptingUser: userOf(asked.accepting_user_id, asked.accepting_user_reference),
      requestingUser: userOf(asked.requesting_user_id, asked.requesting_user_reference),
      maximumOdds: oddsMicros(asked.maximum_odds),
      acceptingAmount: micros(asked.accepting_amount),
      bound,
    };
  },
  'cancel-offer': (data, bound) => {
    const asked = data as Schemas['CancelOffer'];
    return {
      type: 'cancel_bet_offer',
      requestingUser: userOf(asked.requesting_user_id, asked.requesting_user_reference),
      wagerReferences: asked.wager_references ?? [],
      betId: bigintOf(asked.bet_id),
      cancelAmount: asked.cancel_amount == null ? null : micros(asked.cancel_amount),
      cancelAll: asked.cancel_all ?? false,
      minimumOdds: oddsOf(asked.minimum_odds),
      maximumOdds: oddsOf(asked.maximum_odds),
      bound,
    };
  },
  decide: (data) => {
    const { reference, outcome } = data as Schemas['DecideWager'];
    return { type: 'update_wager_outcome', reference, outcome, bound: BOUND };
  },
  override: (data) => {
    const { bet_id, override_outcome } = data as Schemas['OverrideOutcome'];
    return { type: 'override_bet_outcome', betId: BigInt(bet_id), overrideOutcome: override_outcome };
  },
  suspend: (data, _bound, path) => ({
    type: 'suspend_wager',
    wagerReference: wagerOf(data, path),
    reason: reasonOf(data),
    cancelOffers: (data as Schemas['SuspendWager'] | undefined)?.cancel_offers ?? false,
  }),
  resume: (data, _bound, path) => ({ type: 'resume_wager', wagerReference: wagerOf(data, path) }),
  close: (data, _bound, path) => ({
    type: 'close_wager',
    wagerReference: wagerOf(data, path),
    reason: reasonOf(data),
  }),
  schedule: (data, _bound, path) => {
    const { closes_at: closesAt, event, starts_at: startsAt } = data as Schemas['ScheduleWager'];
    const read = (at: typeof closesAt) => (at == null ? at : momentOf(at));
    const labels = { event, startsAt: read(startsAt) };
    return { type: 'schedule_wager', wagerReference: wagerOf({}, path), closesAt: read(closesAt), ...labels };
  },
  fund: pay('fund_user'),
  withdraw: pay('withdraw'),
  'force-outcome': (data) => {
    const { wager_reference: wagerReference, outcome } = data as Schemas['ForceOutcome'];
    return { type: 'force_wager_outcome', wagerReference, outcome, bound: BOUND, action };
  },
  'force-override': (data) => {
    const { bet_id, override_outcome: outcome } = data as Schemas['ForceOverride'];
    return { type: 'force_bet_override', betId: BigInt(bet_id), overrideOutcome: outcome ?? null, action };
  },
  'set-active': setActive(true),
  'set-inactive': setActive(false),
};

/** Undefined: the request asks nothing of the ledger. */
export function taskOf(sent: Sent): Task | undefined {
  const of = ({ kind, data }: BetRequest, bound: number) => operations[kind]?.(data, bound, sent.request.path);
  if (sent.kind !== 'batch') return of(singleRequest(sent), OFFERS_OF_A_REQUEST);
  const requests = requestsOfBatch(sent);
  return requests.map((each) => ({
    operationId: each.id,
    operation: of(each, Math.floor(OFFERS_OF_A_REQUEST / requests.length)) as Operation,
  }));
}

const units = (amount: unknown): number => Number(amount) / 1e6;

interface Moved {
  readonly userId: bigint;
  readonly amount: bigint;
  readonly transactionType: string;
  readonly transactionSource: string;
  readonly balanceAfter: bigint;
  readonly ownReference?: string;
}

const contentOfPayment = (answer: unknown) => {
  const { userId, amount, transactionType, transactionSource, balanceAfter, ownReference } = answer as Moved;
  return {
    data: {
      user_id: Number(userId),
      amount: units(amount),
      transaction_type: transactionType,
      transaction_source: transactionSource,
      balance_after: units(balanceAfter),
      own_reference: ownReference,
    },
  };
};

const offerIdentity = ({ betId, wagerReference, wagerId }: MadeOffer) => ({
  bet_id: Number(betId),
  wager_reference: wagerReference,
  wager_id: Number(wagerId),
});

interface ShownWager {
  readonly status: string;
  readonly statusReason: string | null;
  readonly closesAt: bigint | null;
  readonly event: string | null;
  readonly startsAt: bigint | null;
  readonly revision: number;
}

const contentOfWager = (answer: unknown) => {
  const { status, statusReason, closesAt, event, startsAt, revision } = answer as ShownWager;
  const shown = (at: bigint | null) => (at === null ? null : new Date(Number(at / 1_000n)).toISOString());
  const times = { closes_at: shown(closesAt), starts_at: shown(startsAt) };
  return { data: { status, status_reason: statusReason, event, ...times, revision } };
};

/** What the answer to a success says. How many bets a decision leaves to the worker is an estimate. */
const contents: Record<Operation['type'], (answer: unknown, operation: Operation) => object> = {
  make_bet_offer: (answer) => ({ data: offerIdentity(answer as MadeOffer) }),
  accept_bet_offer: (answer) => ({
    data: (answer as readonly AcceptedOffer[]).map((match) => ({
      ...offerIdentity(match),
      requesting_user_reference: match.requestingUserReference,
      requesting_user_id: Number(match.requestingUserId),
      accepted_amount: units(match.acceptedAmount),
      accepted_odds: units(match.acceptedOdds),
    })),
  }),
  cancel_bet_offer: (answer) => ({
    data: (answer as CanceledOffers).offers.map(({ note, ...offer }) => ({
      ...offerIdentity(offer),
      note: note ?? undefined,
    })),
  }),
  update_wager_outcome: () => ({ message: /^Wager outcome updated/ }),
  force_wager_outcome: () => ({ message: /^Wager outcome updated/ }),
  override_bet_outcome: () => ({ message: 'Bet outcome overridden' }),
  fund_user: contentOfPayment,
  withdraw: contentOfPayment,
  set_bet_active: (_answer, operation) => ({
    message: 'isActive' in operation && operation.isActive ? 'Bet set active' : 'Bet set inactive',
  }),
  force_bet_override: () => ({ message: /^Bet override (updated|removed)$/ }),
  suspend_wager: contentOfWager,
  resume_wager: contentOfWager,
  close_wager: contentOfWager,
  schedule_wager: contentOfWager,
  run_clock: () => ({}),
  fire_timer: () => ({}),
  settle_chunk: () => ({}),
  cancel_chunk: () => ({}),
};

export function contentOf(task: Task, answer: unknown): object {
  if ('type' in task) return contents[task.type](answer, task);
  const results = (answer as readonly BatchAnswer[]).map(({ operationId, type, answer: own }, index) => ({
    operation_id: operationId,
    operation_type: type,
    ...contents[type](own, task[index]?.operation as Operation),
  }));
  return { results };
}

const STATUS = { invalid: 400, malformed: 400, 'not-found': 404, conflict: 409 } as const;

/** Whether the client was answered what the second ledger says. An approval answers with its change request. */
export function isAnswered(
  { status, body }: Answer,
  task: Task,
  verdict: Verdict,
  { approves }: Pick<Sent, 'approves'>,
) {
  if (approves !== undefined) return verdict.isDone && holds(body, { data: { state: 'executed' } });
  if (!verdict.isDone) return status === STATUS[verdict.kind] && textOf(body) === verdict.text;
  return status < 300 && holds(body, contentOf(task, verdict.answer));
}

/** Whether a value has all parts that are expected of it, and a list no others. */
export function holds(value: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return expected.test(String(value));
  if (typeof expected !== 'object' || expected === null) return value === expected;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(expected) && (value as readonly unknown[]).length !== expected.length) return false;
  return Object.entries(expected).every(([key, part]) => holds((value as Record<string, unknown>)[key], part));
}
