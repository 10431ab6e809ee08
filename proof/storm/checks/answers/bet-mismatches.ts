import { asMicros, formatMicros, type Micros, numberFromMicros, ZERO } from '#core/money.js';
import { micros } from '#tools/shared/amounts.js';
import {
  type BetOperationType,
  type BetRequest,
  betOperations,
  requestsOfBatch,
  singleRequest,
} from '../../bet-operations.js';
import { finalAnswer, type Kind, type Operation, type Schemas } from '../../history.js';
import type { BetTerms } from '../bet-terms.js';
import { type KnownFacts, unless } from './known-facts.js';

// Compares answers about bets with their requests: the named wager, bet and users, no more than the amount, no odds
// beyond the limit.

/** The texts of successes that return no data. */
const messages: Partial<Record<Kind, RegExp>> = {
  decide: /^Wager outcome updated/,
  override: /^Bet outcome overridden$/,
  'force-outcome': /^Wager outcome updated/,
  'force-override': /^Bet override (updated|removed)$/,
  'set-active': /^Bet set active$/,
  'set-inactive': /^Bet set inactive$/,
};

interface Done {
  readonly message?: string;
  readonly data?: unknown;
}

interface BatchResult extends Done {
  readonly operation_id: string;
  readonly operation_type: BetOperationType;
}

/** Empty for other requests. */
export function mismatchesOfBets(operation: Operation, known: KnownFacts): string[] {
  const done = finalAnswer(operation)?.body as Done & { readonly results?: readonly BatchResult[] };
  if (operation.kind !== 'batch') return mismatchesOfOne(singleRequest(operation), done, known);
  const { results = [] } = done;
  const requests = requestsOfBatch(operation);
  const mismatches = requests.flatMap((each, place) => {
    const result = results[place];
    if (result === undefined) return ['it has no result'];
    const { operation_type: type } = result;
    const isIts = result.operation_id === each.id && betOperations[type]?.kind === each.kind;
    if (!isIts) return [`the result of ${each.id} is that of ${type} ${result.operation_id}`];
    return mismatchesOfOne(each, result, known).map((mismatch) => `operation '${each.id}': ${mismatch}`);
  });
  return [...mismatches, ...unless(results.length <= requests.length, 'there are more results than operations')];
}

function mismatchesOfOne(request: BetRequest, { message = '', data }: Done, known: KnownFacts): string[] {
  const expected = messages[request.kind];
  if (expected !== undefined) return unless(expected.test(message), `was answered "${message}"`);
  switch (request.kind) {
    case 'make-offer': {
      const [made, asked] = [data as Schemas['MadeOffer'], request.data as Schemas['MakeOffer']];
      return unless(made.wager_reference === asked.wager_reference, `the offer is on ${made.wager_reference}`);
    }
    case 'accept-offer':
      return mismatchesOfMatches(request, data as Schemas['AcceptedOffer'][], known);
    case 'cancel-offer':
      return mismatchesOfCancels(request, data as Schemas['CanceledOffer'][], known);
    default:
      return [];
  }
}

const oddsOf = ({ odds }: BetTerms): number => numberFromMicros(asMicros(odds));

const sumOf = (amounts: readonly Micros[]): Micros =>
  asMicros(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n));

function mismatchesOfMatches(
  request: BetRequest,
  matches: readonly Schemas['AcceptedOffer'][],
  known: KnownFacts,
): string[] {
  const asked = request.data as Schemas['AcceptOffer'];
  const taken = sumOf(matches.map(({ accepted_amount: amount }) => micros(amount)));
  const odds = matches.map(({ accepted_odds }) => accepted_odds);
  return [
    ...unless(matches.length > 0, 'nothing was accepted'),
    ...unless(taken <= micros(asked.accepting_amount), `more was accepted: ${formatMicros(taken)}`),
    ...unless(
      odds.every((each, place) => each >= (odds[place - 1] ?? 0)),
      `the lowest odds did not come first: ${odds.join(', ')}`,
    ),
    ...matches.flatMap((match) => mismatchesOfMatch(request, match, known)),
  ];
}

function mismatchesOfMatch(
  { data, operation }: BetRequest,
  match: Schemas['AcceptedOffer'],
  known: KnownFacts,
): string[] {
  const asked = data as Schemas['AcceptOffer'];
  const { names } = known;
  const { bet_id: id, wager_reference: wager, accepted_odds: odds, requesting_user_id: requesterId } = match;
  const bet = known.bets.get(id);
  const acceptorId = names.idOf(operation, asked.accepting_user_id, asked.accepting_user_reference);
  const namedRequester = asked.requesting_user_id ?? asked.requesting_user_reference;
  const isRequester = [match.requesting_user_id, match.requesting_user_reference].includes(
    namedRequester ?? requesterId,
  );
  if (bet === undefined) return [`there is no bet ${id}`];
  const offeredOdds = oddsOf(bet);
  return [
    ...unless((asked.bet_id ?? id) === id, `it was bet ${id}`),
    ...unless((asked.wager_reference ?? wager) === wager, `bet ${id} is on ${wager}`),
    ...unless(odds <= asked.maximum_odds, `bet ${id} has odds of ${odds}`),
    ...unless(isRequester, `bet ${id} is an offer of user ${requesterId}`),
    ...unless(requesterId !== acceptorId, `bet ${id} is the acceptor's own offer`),
    ...unless(
      names.idOf(operation, undefined, match.requesting_user_reference) === requesterId,
      `user ${requesterId} is not ${match.requesting_user_reference}`,
    ),
    ...unless(bet.wager === wager, `bet ${id} is on ${bet.wager}, and not on ${wager}`),
    ...unless(bet.requesterId === requesterId, `bet ${id} is of user ${bet.requesterId}, and not of ${requesterId}`),
    ...unless(offeredOdds === odds, `bet ${id} has odds of ${offeredOdds}, and not of ${odds}`),
  ];
}

function mismatchesOfCancels(
  request: BetRequest,
  cancels: readonly Schemas['CanceledOffer'][],
  known: KnownFacts,
): string[] {
  const { cancel_amount: amount, cancel_all: isAll } = request.data as Schemas['CancelOffer'];
  const bets = cancels.map(({ bet_id }) => known.bets.get(bet_id)).filter((bet) => bet !== undefined);
  const rests = cancels.filter(({ note }) => note !== undefined).length;
  const canceled = sumOf(cancels.map(({ bet_id, note }) => canceledOf(known, bet_id, note !== undefined)));
  const bound = isAll === true ? undefined : micros(amount ?? 0);
  return [
    ...unless(bets.length > 0, 'nothing was canceled'),
    ...unless(rests <= (bound === undefined ? 0 : 1), `${rests} rests remained`),
    ...unless(bound === undefined || canceled <= bound, `more was canceled: ${formatMicros(canceled)}`),
    ...unless(bound === undefined || rests === 0 || canceled === bound, `less was canceled: ${formatMicros(canceled)}`),
    ...cancels.flatMap((cancel) => mismatchesOfCancel(request, cancel, known)),
  ];
}

/** How much a cancel took: from the bet before this rest, or the whole bet. */
function canceledOf({ bets }: KnownFacts, betId: number, isRest: boolean): Micros {
  const bet = bets.get(betId);
  const { offered = ZERO } = bet ?? {};
  return isRest ? asMicros((bets.get(bet?.restOf ?? 0)?.offered ?? ZERO) - offered) : offered;
}

function mismatchesOfCancel(
  { data, operation }: BetRequest,
  cancel: Schemas['CanceledOffer'],
  known: KnownFacts,
): string[] {
  const asked = data as Schemas['CancelOffer'];
  const { bet_id: id, wager_reference: wager, note } = cancel;
  const bet = known.bets.get(id);
  if (bet === undefined) return [`there is no bet ${id}`];
  const userId = known.names.idOf(operation, asked.requesting_user_id, asked.requesting_user_reference);
  const common = [
    ...unless(bet.requesterId === userId, `bet ${id} is of user ${bet.requesterId}, and not of ${userId}`),
    ...unless(bet.wager === wager, `bet ${id} is on ${bet.wager}, and not on ${wager}`),
  ];
  // A named bet excludes all others; its rest is a bet with another id.
  if (typeof asked.bet_id === 'number') {
    return [...common, ...unless(note !== undefined || id === asked.bet_id, `it was bet ${id}`)];
  }
  const odds = oddsOf(bet);
  const isWithin = odds >= (asked.minimum_odds ?? 1) && odds <= (asked.maximum_odds ?? Infinity);
  return [
    ...common,
    ...unless((asked.wager_references ?? []).includes(wager), `bet ${id} is on ${wager}`),
    ...unless(isWithin, `bet ${id} has odds of ${odds}`),
  ];
}
