import type { User } from './records.js';

/* All refusals of the core. The API maps each kind to a status; the texts are part of the API's contract. */

export type RejectionKind = 'invalid' | 'not-found' | 'conflict' | 'malformed';

interface RejectionRule {
  readonly kind: RejectionKind;
  readonly text: (...details: never[]) => string;
}

const invalid = <Details extends string[]>(text: (...details: Details) => string) =>
  ({ kind: 'invalid', text }) as const;
const conflict = <Details extends string[]>(text: (...details: Details) => string) =>
  ({ kind: 'conflict', text }) as const;
const notFound = (text: string) => ({ kind: 'not-found', text: () => text }) as const;

const rules = {
  'not-defined': invalid((one: string, other: string) => `${one} or ${other} must be defined`),
  'user-not-found': notFound('User not found'),
  'users-differ': invalid((field: string) => `${field}_id and ${field}_reference must name the same user`),
  'allowed-acceptor-not-found': notFound('Allowed acceptor not found'),
  'wager-not-found': notFound('Wager not found'),
  'wager-decided': invalid(() => 'Wager has already been decided'),
  'decision-final': invalid(
    () => 'Only a decision of the last 10 minutes can be corrected, and only once: ask the provider of the service',
  ),
  'wager-suspended': invalid(() => 'Wager is suspended'),
  'wager-closed': invalid(() => 'Wager is closed'),
  'wager-is-decided': invalid(() => 'Wager is decided'),
  'bet-not-found': notFound('Bet not found'),
  'bet-not-requesting': invalid(() => "bet offer status must be 'requesting'"),
  'bet-not-accepted': invalid(() => "bet offer status must be 'accepted'"),
  'bet-canceled': invalid(() => "bet offer status must not be 'canceled'"),
  'bet-void-due': invalid(() => 'a decision is voiding the bet: it can be overridden when the wager has settled'),
  'bet-inactive': invalid(() => 'bet is not active'),
  'bet-already-active': invalid(() => 'Bet is already active'),
  'bet-already-inactive': invalid(() => 'Bet is already inactive'),
  'other-requester': invalid(() => 'bet is not an offer of the requesting user'),
  'own-offer': invalid(() => 'a user cannot accept its own offer'),
  'acceptor-not-allowed': invalid(() => 'accepting user is not allowed to accept this offer'),
  'odds-above-maximum': invalid(
    (odds: string, maximum: string) => `bet odds ${odds} are above maximum_odds ${maximum}`,
  ),
  'part-too-small': invalid(() => 'the winnings of so small a part are rounded to nothing: take more of the offer'),
  'no-matching-offers': invalid(() => 'No matching bet offers found'),
  'no-cancelable-bets': invalid(() => 'No cancelable bets found'),
  'offer-unfunded': invalid(() => 'Insufficient balance: offer would cause negative effective balance'),
  'acceptance-unfunded': invalid(() => 'Insufficient balance: acceptance would cause negative effective balance'),
  'own-reference-taken': conflict(() => 'A transaction with this reference already exists'),
  'withdrawal-unfunded': invalid(() => 'Insufficient balance: withdrawal would cause negative effective balance'),
  'balance-disputed': conflict(
    () => 'the balance of the user is disputed: until it is corrected, the user cannot commit or withdraw money',
  ),
  'too-many-decimals': invalid(
    (field: string, most: string) => `${field} must not have more than ${most} decimal places`,
  ),
  'winnings-too-large': invalid((maximum: string) => `possible winnings must not be greater than ${maximum}`),
  'ledger-bound': invalid(
    (maximum: string) => `no balance, exposure or position of a user may be greater than ${maximum}`,
  ),
  'sandbox-full': invalid(() => 'A sandbox may have at most 100000 bets: delete it and make another one'),
  'payments-differ': conflict(
    (bet: string) => `the transactions of bet ${bet} differ from its outcome: it cannot be corrected`,
  ),
  // A fault of form that only the ledger can see: it knows the time. It is answered like the faults that schemas find.
  malformed: { kind: 'malformed', text: (fault: string) => fault },
  'operation-ids-repeated': invalid(() => 'Operation IDs must be unique within a batch'),
} satisfies Record<string, RejectionRule>;

export type RejectionCode = keyof typeof rules;
type DetailsOf<Code extends RejectionCode> = Parameters<(typeof rules)[Code]['text']>;

interface RejectionContent {
  readonly code: RejectionCode;
  readonly kind: RejectionKind;
  readonly text: string;
}

export class Rejection {
  readonly code: RejectionCode;
  readonly kind: RejectionKind;
  readonly text: string;
  /** The operation of a batch that is refused. */
  readonly operationId: string | undefined;

  constructor({ code, kind, text }: RejectionContent, operationId?: string) {
    this.code = code;
    this.kind = kind;
    this.text = text;
    this.operationId = operationId;
  }
}

export const reject = <Code extends RejectionCode>(code: Code, ...details: DetailsOf<Code>): Rejection => {
  const rule: RejectionRule = rules[code];
  return new Rejection({ code, kind: rule.kind, text: rule.text(...(details as never[])) });
};

/** In a batch the text names the refused operation. */
export const ofOperation = (operationId: string, text: string): string => `operation '${operationId}': ${text}`;

export const nameOperation = (operationId: string, { code, kind, text }: Rejection): Rejection =>
  new Rejection({ code, kind, text: ofOperation(operationId, text) }, operationId);

/** One of each that has a text of its own, with `…` for the details of its text. */
export const allRejections = (): readonly Rejection[] =>
  (Object.keys(rules) as RejectionCode[]).flatMap((code) => {
    const { kind, text }: RejectionRule = rules[code];
    if (kind === 'malformed') return [];
    return [new Rejection({ code, kind, text: text(...(Array(text.length).fill('…') as never[])) })];
  });

/* What comes of an operation: an answer or a rejection. */

/** A user committed money (or received funding). The core judges the user's funds when the attempt ends. */
export interface Commitment {
  readonly user: User;
  /** The refusal when the user cannot afford it; null: never refused for lack of money. */
  readonly unfunded: 'offer-unfunded' | 'acceptance-unfunded' | 'withdrawal-unfunded' | null;
}

/** An operation that was not refused. The Book already holds its changes. */
interface Executed<Answer> {
  readonly answer: Answer;
  readonly commitment: Commitment | null;
}

export type OperationResult<Answer> = Executed<Answer> | Rejection;
