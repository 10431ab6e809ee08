import { micros } from '#tools/shared/amounts.js';
import { type Answer, type Expected, finalAnswer, type Operation, type Schemas, textOf } from '../../history.js';
import { wasDone } from '../effects.js';
import { type Finding, findingsOf } from '../finding.js';

// Checks of the answers alone, without the database.

/** Ordinary refusals: by a rule of the ledger, or because another request was faster. */
const REFUSALS = [400, 404];
const SHOWN_BODY = 200;

export function checkAnswers(operations: readonly Operation[]): Finding[] {
  const textsOf = (find: (operation: Operation) => string | undefined) =>
    operations.flatMap((operation) => {
      const fault = find(operation);
      return fault === undefined ? [] : [`${nameOf(operation)} ${fault}`];
    });
  return [
    ...findingsOf('every request was answered', textsOf(unanswered)),
    ...findingsOf('no answer was a server error', textsOf(faulty)),
    ...findingsOf('every answer was expected', textsOf(unexpected)),
    ...findingsOf('a key has one answer', textsOf(different)),
    ...findingsOf('no user had an exposure above its balance', textsOf(overdrawn)),
  ];
}

export const nameOf = ({ account, kind, request, key, client }: Operation): string =>
  `${account.name}, client ${client}: ${kind}${key === undefined ? '' : ` with key ${key}`} (${request.method} ${request.path})`;

const unanswered = ({ answers, tries }: Operation): string | undefined =>
  answers.length > 0 ? undefined : `was never answered, in ${tries.length} tries`;

function faulty({ tries }: Operation): string | undefined {
  const fault = tries.find((status) => status >= 500 && status !== 503);
  return fault === undefined ? undefined : `was answered ${fault}`;
}

const shown = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)?.slice(0, SHOWN_BODY)}`;

function unexpected(operation: Operation): string | undefined {
  const answer = finalAnswer(operation);
  if (answer === undefined || (wasDone(operation) && typeof operation.expected === 'string')) return undefined;
  const { expected } = operation;
  return isAsExpected(answer, expected)
    ? undefined
    : `was answered ${shown(answer)}, expected ${JSON.stringify(expected)}`;
}

function isAsExpected({ status, body }: Answer, expected: Expected): boolean {
  if (typeof expected === 'string') {
    return status < 300 || (expected === 'success or refusal' && REFUSALS.includes(status));
  }
  if (status !== expected.status) return false;
  if (expected.text !== undefined && textOf(body) !== expected.text) return false;
  return expected.total === undefined || isListOf(body as ListBody, expected.total);
}

interface ListBody {
  readonly data?: readonly unknown[] | { readonly items: readonly unknown[]; readonly total: unknown };
  readonly total?: unknown;
}

/** The list of users has its items inside `data`, other lists beside `total`. */
function isListOf({ data = [], total }: ListBody, expected: number): boolean {
  const list = 'items' in data ? data : { items: data, total };
  return list.total === expected && list.items.length <= expected;
}

function different({ answers: [first, ...others] }: Operation): string | undefined {
  const other = others.find((answer) => first !== undefined && textOfAnswer(answer) !== textOfAnswer(first));
  return other === undefined || first === undefined
    ? undefined
    : `was answered ${shown(first)}, and then ${shown(other)}`;
}

const textOfAnswer = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)}`;

/** In plain accounts nothing is corrected, and only bets of rich users are overridden: no exposure may exceed a balance. */
function overdrawn(operation: Operation): string | undefined {
  if (operation.account.role !== 'plain') return undefined;
  const user = usersIn(operation).find(({ balance, exposure }) => micros(balance) < micros(exposure));
  return user && `found user ${user.id} with a balance of ${user.balance} and an exposure of ${user.exposure}`;
}

/** The users in the answer to a read. */
export function usersIn(operation: Operation): readonly Schemas['User'][] {
  const answer = finalAnswer(operation);
  if (answer === undefined || answer.status !== 200) return [];
  if (operation.kind === 'read-user') return [(answer.body as { readonly data: Schemas['User'] }).data];
  if (operation.kind !== 'read-users') return [];
  return (answer.body as { readonly data: { readonly items: readonly Schemas['User'][] } }).data.items;
}
