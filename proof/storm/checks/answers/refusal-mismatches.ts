import { type BetRequest, requestsOfBatch, singleRequest } from '../../bet-operations.js';
import { finalAnswer, type Kind, type Operation, type Schemas, textOf } from '../../history.js';
import { wasDone } from '../effects.js';
import { type KnownFacts, unless, wagerKey } from './known-facts.js';

// A client names only users and bets of its own account, which exist. So only a few reasons for a refusal are possible;
// any other is a finding.

const DECIDED = '400 Wager has already been decided';
const NO_WAGER = '404 Wager not found';
const INACTIVE = '400 bet is not active';
const OWN_OFFER = '400 a user cannot accept its own offer';
const unfunded = (what: string): string => `400 Insufficient balance: ${what} would cause negative effective balance`;
/** Where an admin allows negative balances, they may reach the limit of the ledger. */
const BEYOND_LEDGER = /^400 no balance, exposure or position of a user may be greater than [\d.]+$/;

type Reasons = (request: BetRequest, known: KnownFacts) => readonly string[];

const always =
  (...reasons: readonly string[]): Reasons =>
  () =>
    reasons;

/** A wager exists from its first offer. */
const unknownWager: Reasons = ({ data, operation: { account, calledAt } }, { wagersSince }) => {
  const named = data as Partial<Schemas['ForceOutcome'] & Schemas['DecideWager']>;
  const reference = named.wager_reference ?? named.reference ?? '';
  const since = wagersSince.get(wagerKey(named.account_id ?? account.id, reference)) ?? Number.POSITIVE_INFINITY;
  return since < calledAt ? [] : [NO_WAGER];
};

const accepted: Reasons = ({ data, operation }, { names, bets }) => {
  const asked = data as Schemas['AcceptOffer'];
  const common = [DECIDED, unfunded('acceptance')];
  if (typeof asked.bet_id !== 'number') return [...common, '400 No matching bet offers found'];
  const acceptorId = names.idOf(operation, asked.accepting_user_id, asked.accepting_user_reference);
  return [
    ...common,
    "400 bet offer status must be 'requesting'",
    '400 accepting user is not allowed to accept this offer',
    ...(bets.get(asked.bet_id)?.requesterId === acceptorId ? [OWN_OFFER] : []),
    ...ifCorrected(operation, INACTIVE),
  ];
};

const ifCorrected = ({ account }: Operation, ...reasons: readonly string[]): readonly string[] =>
  account.role === 'corrected' ? reasons : [];

const reasons: Partial<Record<Kind, Reasons>> = {
  'make-offer': always(DECIDED, unfunded('offer')),
  'accept-offer': accepted,
  'cancel-offer': always('400 No cancelable bets found'),
  decide: (...asked) => [DECIDED, ...unknownWager(...asked)],
  // After the admin's own override the business cannot override the bet.
  override: ({ operation }) => ifCorrected(operation, INACTIVE, "400 bet offer status must be 'accepted'"),
  withdraw: always(unfunded('withdrawal')),
  'force-outcome': unknownWager,
  'force-override': always("400 bet offer status must not be 'canceled'"),
  'set-active': always('400 Bet is already active'),
  'set-inactive': always('400 Bet is already inactive'),
};

/** Empty unless the answer is a refusal where any refusal was expected. */
export function mismatchesOfRefusal(operation: Operation, known: KnownFacts): string[] {
  const { kind, expected } = operation;
  const answer = finalAnswer(operation);
  if (answer === undefined || expected !== 'success or refusal' || wasDone(operation)) return [];
  const refusal = `${answer.status} ${textOf(answer.body)}`;
  const mismatch = (of: BetRequest | undefined, reason: string) =>
    unless(of !== undefined && isReason(of, reason, known), `was refused: ${refusal}`);
  if (kind !== 'batch') return mismatch(singleRequest(operation), refusal);
  const [, status, id, text] = /^(\d+) operation '([^']+)': (.*)$/.exec(refusal) ?? [];
  return mismatch(
    requestsOfBatch(operation).find((each) => each.id === id),
    `${status} ${text}`,
  );
}

const isReason = (request: BetRequest, refusal: string, known: KnownFacts): boolean =>
  (reasons[request.kind]?.(request, known) ?? []).includes(refusal) ||
  (request.operation.account.role === 'corrected' && BEYOND_LEDGER.test(refusal));
