import type { Micros, OddsMicros } from '#core/money.js';
import { micros, oddsMicros } from '#tools/shared/amounts.js';
import { type BetRequest, requestsOfBatch, singleRequest } from '../bet-operations.js';
import {
  finalAnswer,
  type History,
  isSuccess,
  type Operation,
  type Outcome,
  type Schemas,
  successOf,
  textOf,
} from '../history.js';

// The effects that an answer acknowledges, in the ledger's own units.

export type Effect =
  | { readonly type: 'user'; readonly id: number; readonly reference: string }
  | {
      readonly type: 'movement';
      readonly id: number;
      readonly reference: string;
      readonly userId: number;
      /** Negative for a withdrawal. */
      readonly received: Micros;
    }
  | ({ readonly type: 'offer'; readonly betId: number; readonly wager: string; readonly userId: number } & Terms)
  | ({ readonly type: 'acceptance'; readonly betId: number; readonly wager: string; readonly userId: number } & Terms)
  /** With a `rest`, the named bet offers that amount on; without one, the named bet is canceled. */
  | { readonly type: 'cancellation'; readonly betId: number; readonly wager: string; readonly rest: Micros | undefined }
  | { readonly type: 'decision'; readonly wager: string; readonly outcome: Outcome }
  | { readonly type: 'override'; readonly betId: number; readonly outcome: Outcome };

export type EffectOf<Type extends Effect['type']> = Extract<Effect, { type: Type }>;

interface Terms {
  readonly odds: OddsMicros;
  readonly amount: Micros;
}

/** The ids of users by reference: requests name users by either. */
export class UserNames {
  readonly #ids = new Map<string, number>();

  constructor({ operations }: Pick<History, 'operations'>) {
    for (const operation of operations) {
      if (operation.kind !== 'create-user') continue;
      const created = successOf<{ readonly data: Schemas['CreatedUser'] }>(operation)?.data;
      if (created !== undefined) this.#ids.set(`${operation.account.email} ${created.reference}`, created.id);
    }
  }

  /** 0 for an unknown user. */
  idOf(operation: Operation, id: number | null | undefined, reference: string | null | undefined): number {
    return id ?? this.#ids.get(`${operation.account.email} ${reference}`) ?? 0;
  }
}

/** The user that a path `/account/user/…` names, by its id or by its reference. */
export function userInPath({ request }: Operation): { readonly id: number } | { readonly reference: string } {
  const [, , , name = '', byReference] = request.path.split('/');
  return byReference === undefined ? { id: Number(name) } : { reference: name };
}

/** The effects of each operation, by its answer. Computed once for all checks. */
export class AcknowledgedEffects {
  readonly names: UserNames;
  readonly #effects = new Map<Operation, readonly Effect[]>();

  constructor(history: Pick<History, 'operations'>) {
    this.names = new UserNames(history);
    for (const operation of history.operations) this.#effects.set(operation, effectsOf(operation, this.names));
  }

  /** Empty unless the operation succeeded. */
  of(operation: Operation): readonly Effect[] {
    return this.#effects.get(operation) ?? [];
  }
}

function effectsOf(operation: Operation, names: UserNames): readonly Effect[] {
  const { kind } = operation;
  if (!isSuccess(operation)) return [];
  const body = finalAnswer(operation)?.body as { readonly data?: unknown };
  if (kind === 'create-user') return [userEffect(body.data as Schemas['CreatedUser'])];
  if (kind === 'fund' || kind === 'withdraw') return [movementEffect(body.data as Schemas['Movement'])];
  if (kind !== 'batch') return betEffects(singleRequest(operation), body.data, names);
  const { results } = body as { readonly results: readonly { readonly data?: unknown }[] };
  return requestsOfBatch(operation).flatMap((request, index) => betEffects(request, results[index]?.data, names));
}

const userEffect = ({ id, reference }: Schemas['CreatedUser']): Effect => ({ type: 'user', id, reference });

function movementEffect({ id, reference, user_id: userId, amount, transaction_type }: Schemas['Movement']): Effect {
  const received = micros(transaction_type === 'debit' ? -amount : amount);
  return { type: 'movement', id, reference, userId, received };
}

function betEffects({ kind, data, operation }: BetRequest, answer: unknown, names: UserNames): readonly Effect[] {
  switch (kind) {
    case 'make-offer': {
      const asked = data as Schemas['MakeOffer'];
      const userId = names.idOf(operation, asked.requesting_user_id, asked.requesting_user_reference);
      return [offerEffect(asked, answer as Schemas['MadeOffer'], userId)];
    }
    case 'accept-offer': {
      const { accepting_user_id: id, accepting_user_reference: reference } = data as Schemas['AcceptOffer'];
      const userId = names.idOf(operation, id, reference);
      return (answer as Schemas['AcceptedOffer'][]).map((match) => acceptanceEffect(match, userId));
    }
    case 'cancel-offer':
      return (answer as Schemas['CanceledOffer'][]).map(cancellationEffect);
    case 'decide': {
      const { reference: wager, outcome } = data as Schemas['DecideWager'];
      // Undecided to undecided is allowed, and does nothing.
      return outcome === 'undecided' ? [] : [{ type: 'decision', wager, outcome }];
    }
    case 'override': {
      const { bet_id: betId, override_outcome: outcome } = data as Schemas['OverrideOutcome'];
      return [{ type: 'override', betId, outcome }];
    }
    default:
      return [];
  }
}

const offerEffect = (asked: Schemas['MakeOffer'], made: Schemas['MadeOffer'], userId: number): Effect => ({
  type: 'offer',
  betId: made.bet_id,
  wager: made.wager_reference,
  userId,
  odds: oddsMicros(asked.requesting_odds),
  amount: micros(asked.requesting_amount),
});

const acceptanceEffect = (match: Schemas['AcceptedOffer'], userId: number): Effect => ({
  type: 'acceptance',
  betId: match.bet_id,
  wager: match.wager_reference,
  userId,
  odds: oddsMicros(match.accepted_odds),
  amount: micros(match.accepted_amount),
});

function cancellationEffect({ bet_id: betId, wager_reference: wager, note }: Schemas['CanceledOffer']): Effect {
  const rest = /^Remaining amount: (\S+)$/.exec(note ?? '')?.[1];
  return { type: 'cancellation', betId, wager, rest: rest === undefined ? undefined : micros(Number(rest)) };
}

/**
 * Whether the answers acknowledge one effect. Some requests take no key: when an answer was lost, the text of the next
 * answer shows that an earlier try took effect.
 */
export function wasDone(operation: Operation): boolean {
  if (isSuccess(operation)) return true;
  if (operation.key !== undefined || operation.tries.length < 2) return false;
  const text = textOf(finalAnswer(operation)?.body);
  return text === doneBefore[operation.kind];
}

const doneBefore: Partial<Record<Operation['kind'], string>> = {
  register: 'Email is already registered',
  'reset-password': 'Current password is incorrect',
};
