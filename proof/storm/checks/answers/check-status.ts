import { requestsOfBatch, singleRequest } from '../../bet-operations.js';
import { finalAnswer, isSuccess, type Kind, type Operation } from '../../history.js';
import { type Finding, findingsOf } from '../finding.js';
import { nameOf } from './check-answers.js';

// The status of a wager as a register: from the answer to a suspension or a close on, nothing that is sent later bets on it,
// until a resume may have taken effect. By the record of the clients alone.

/** A success on a wager. */
interface Mark {
  readonly kind: Kind;
  readonly operation: Operation;
}

interface Answered {
  readonly data?: { readonly wager_reference?: string } | readonly { readonly wager_reference?: string }[];
}

const bets: readonly Kind[] = ['make-offer', 'accept-offer'];
const stops: readonly Kind[] = ['suspend', 'close'];
const answeredAt = ({ answeredAt: at = Number.POSITIVE_INFINITY }: Operation): number => at;

/** The wagers on which an operation bets, or whose status it changes. */
function wagersOf({ path }: { readonly path: string }, data: unknown, answer: Answered | undefined): string[] {
  const [, area, reference] = path.split('/');
  if (area === 'wagers') return reference === undefined ? [] : [reference];
  const named = data as { readonly wager_reference?: string } | undefined;
  const all = [named, answer?.data ?? []].flat().flatMap((each) => each?.wager_reference ?? []);
  return [...new Set(all)];
}

/** Without an answer only a resume counts: it may have taken effect. */
function* marksIn(operation: Operation): Generator<readonly [wager: string, mark: Mark]> {
  const isBatch = operation.kind === 'batch';
  const body = finalAnswer(operation)?.body as (Answered & { readonly results?: readonly Answered[] }) | undefined;
  const requests = isBatch ? requestsOfBatch(operation) : [singleRequest(operation)];
  const counting: readonly Kind[] = body === undefined ? ['resume'] : [...bets, ...stops, 'resume'];
  for (const [place, { kind, data }] of requests.entries()) {
    if (!counting.includes(kind)) continue;
    const answer = isBatch ? body?.results?.[place] : body;
    for (const wager of wagersOf(operation.request, data, answer))
      yield [`${operation.account.name} ${wager}`, { kind, operation }];
  }
}

export function checkStatus(operations: readonly Operation[]): Finding[] {
  const marks = new Map<string, Mark[]>();
  for (const operation of operations.filter((each) => isSuccess(each) || finalAnswer(each) === undefined)) {
    for (const [wager, mark] of marksIn(operation)) marks.set(wager, [...(marks.get(wager) ?? []), mark]);
  }
  const texts = [...marks].flatMap(([wager, own]) =>
    own
      .filter(({ kind }) => bets.includes(kind))
      .flatMap((bet) => faultOf(bet, own).map((fault) => `${wager}: ${fault}`)),
  );
  return findingsOf('no bet follows the answer to a suspension or a close', texts);
}

function faultOf({ operation: bet }: Mark, own: readonly Mark[]): string[] {
  const before = own.filter(({ kind, operation }) => stops.includes(kind) && answeredAt(operation) < bet.calledAt);
  const stop = before.find(({ kind, operation }) => kind === 'close' || !isResumed(own, operation, bet));
  return stop === undefined ? [] : [`${nameOf(bet)} succeeded after ${nameOf(stop.operation)}`];
}

/** Whether a resume can have taken effect after the suspension and before the bet. */
const isResumed = (own: readonly Mark[], stop: Operation, bet: Operation): boolean =>
  own.some(
    ({ kind, operation }) =>
      kind === 'resume' && answeredAt(operation) > stop.calledAt && operation.calledAt < answeredAt(bet),
  );
