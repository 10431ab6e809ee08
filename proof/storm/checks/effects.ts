import { type Micros, microsFromNumber, type OddsMicros, oddsFromNumber } from '#core/money.js';
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

// What an answer says that has been done, in the ledger's own units.

export type Effect =
  | { readonly type: 'user'; readonly id: number; readonly reference: string }
  | {
      readonly type: 'movement';
      readonly id: number;
      readonly reference: string;
      readonly userId: number;
      /** What the user received; negative: gave. */
      readonly received: Micros;
    }
  | ({ readonly type: 'offer'; readonly betId: number; readonly wager: string; readonly userId: number } & Terms)
  | ({ readonly type: 'acceptance'; readonly betId: number; readonly wager: string; readonly userId: number } & Terms)
  /** `rest`: the amount that is still offered, by the bet that is named; else that bet is canceled. */
  | { readonly type: 'cancellation'; readonly betId: number; readonly wager: string; readonly rest: Micros | undefined }
  | { readonly type: 'decision'; readonly wager: string; readonly outcome: Outcome }
  | { readonly type: 'override'; readonly betId: number; readonly outcome: Outcome };

export type EffectOf<Type extends Effect['type']> = Extract<Effect, { type: Type }>;

interface Terms {
  readonly odds: OddsMicros;
  readonly amount: Micros;
}

type BatchOperation = Schemas['Batch']['operations'][number];
type BetOperation = Pick<BatchOperation, 'operation_type' | 'data'>;

const betOperations = {
  'make-offer': 'make_bet_offer',
  'accept-offer': 'accept_bet_offer',
  'cancel-offer': 'cancel_bet_offer',
  decide: 'update_wager_outcome',
  override: 'override_bet_outcome',
} as const;

const isBetOperation = (kind: string): kind is keyof typeof betOperations => kind in betOperations;

/** Who is called what: requests name users by id or by reference. */
export class UserNames {
  readonly #ids = new Map<string, number>();

  constructor({ operations }: Omit<History, 'seconds'>) {
    for (const operation of operations) {
      if (operation.kind !== 'create-user') continue;
      const created = successOf<{ readonly data: Schemas['CreatedUser'] }>(operation)?.data;
      if (created !== undefined) this.#ids.set(`${operation.account.email} ${created.reference}`, created.id);
    }
  }

  /** 0: nobody. */
  idOf(operation: Operation, id: number | null | undefined, reference: string | null | undefined): number {
    return id ?? this.#ids.get(`${operation.account.email} ${reference}`) ?? 0;
  }
}

/** What a success did; nothing for everything else. */
export function effectsOf(operation: Operation, names: UserNames): Effect[] {
  const { kind, request } = operation;
  if (!isSuccess(operation)) return [];
  const answered = finalAnswer(operation)?.body as { readonly data?: unknown };
  if (kind === 'create-user') return [userEffect(answered.data as Schemas['CreatedUser'])];
  if (kind === 'fund' || kind === 'withdraw') return [movementEffect(answered.data as Schemas['Movement'])];
  const effects = (done: BetOperation, data: unknown) =>
    betEffects(done, data, (...user) => names.idOf(operation, ...user));
  if (isBetOperation(kind)) {
    return effects({ operation_type: betOperations[kind], data: request.body } as BetOperation, answered.data);
  }
  if (kind !== 'batch') return [];
  const results = (answered as { readonly results: readonly { readonly data?: unknown }[] }).results;
  return (request.body as Schemas['Batch']).operations.flatMap((done, index) => effects(done, results[index]?.data));
}

const userEffect = ({ id, reference }: Schemas['CreatedUser']): Effect => ({ type: 'user', id, reference });

function movementEffect({ id, reference, user_id: userId, amount, transaction_type }: Schemas['Movement']): Effect {
  const received = micros(transaction_type === 'debit' ? -amount : amount);
  return { type: 'movement', id, reference, userId, received };
}

type IdOf = (id: number | null | undefined, reference: string | null | undefined) => number;

function betEffects({ operation_type: type, data }: BetOperation, answer: unknown, idOf: IdOf): Effect[] {
  switch (type) {
    case 'make_bet_offer':
      return [offerEffect(data as Schemas['MakeOffer'], answer as Schemas['MadeOffer'], idOf)];
    case 'accept_bet_offer': {
      const { accepting_user_id: id, accepting_user_reference: reference } = data as Schemas['AcceptOffer'];
      return (answer as Schemas['AcceptedOffer'][]).map((match) => acceptanceEffect(match, idOf(id, reference)));
    }
    case 'cancel_bet_offer':
      return (answer as Schemas['CanceledOffer'][]).map(cancellationEffect);
    case 'update_wager_outcome': {
      const { reference: wager, outcome } = data as Schemas['DecideWager'];
      // Undecided to undecided is allowed, and does nothing.
      return outcome === 'undecided' ? [] : [{ type: 'decision', wager, outcome }];
    }
    case 'override_bet_outcome': {
      const { bet_id: betId, override_outcome: outcome } = data as Schemas['OverrideOutcome'];
      return [{ type: 'override', betId, outcome }];
    }
  }
}

const offerEffect = (asked: Schemas['MakeOffer'], made: Schemas['MadeOffer'], idOf: IdOf): Effect => ({
  type: 'offer',
  betId: made.bet_id,
  wager: made.wager_reference,
  userId: idOf(asked.requesting_user_id, asked.requesting_user_reference),
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
 * Whether it was done once, by what the answers say. Some requests take no key: when an answer was lost, the next try is
 * told that what it asks for has been done.
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

export function micros(amount: number): Micros {
  const value = microsFromNumber(amount);
  if (value === undefined) throw new Error(`${amount} is no amount of money`);
  return value;
}

function oddsMicros(odds: number): OddsMicros {
  const value = oddsFromNumber(odds);
  if (value === undefined) throw new Error(`${odds} are no odds`);
  return value;
}
