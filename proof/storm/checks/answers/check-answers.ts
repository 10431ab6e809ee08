import { type Answer, type Expected, finalAnswer, type Operation, textOf, wasDone } from '../../history.js';
import { type Finding, findingsOf } from '../finding.js';
import { rememberedMismatches } from './read-mismatches.js';

// Checks of the answers alone, without the database.

/** Ordinary refusals: by a rule of the ledger, or because another request was faster. */
const REFUSALS = [400, 404];
/** Of what another person has changed or decided, too. */
const CONFLICTS = [...REFUSALS, 409];
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
    ...findingsOf(
      'reads show what they are asked for',
      operations.flatMap((operation) => rememberedMismatches(operation).map((text) => `${nameOf(operation)}: ${text}`)),
    ),
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
    if (status < 300) return true;
    return expected !== 'success' && (expected === 'success or conflict' ? CONFLICTS : REFUSALS).includes(status);
  }
  if (status !== expected.status) return false;
  if (expected.text !== undefined && textOf(body) !== expected.text) return false;
  return expected.total === undefined || isListOf(body as ListBody, expected.total);
}

interface ListBody {
  readonly data?: readonly unknown[] | { readonly items: readonly unknown[]; readonly total: unknown };
  readonly total?: unknown;
}

/** The list of users has its items inside `data`, other lists at the level of `total`. */
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
