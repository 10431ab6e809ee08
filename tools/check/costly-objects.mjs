// Objects that cost V8 a hidden class each time, in files that run for each request or row: docs/decisions/0053-what-v8-likes.md.

import { isFunction, nodesIn } from './syntax.mjs';

/** @typedef {import('@babel/types').Node} Node */

export const HOT_FILES = [
  'apps/api/routes/bets/accept-offer.ts',
  'apps/api/routes/bets/bet.ts',
  'apps/api/routes/bets/make-offer.ts',
  'libs/accounts/access/authenticator.ts',
  'libs/core/changes.ts',
  'libs/core/impact.ts',
  'libs/events/event-position.ts',
  'libs/events/log-events.ts',
  'libs/http/answer.ts',
  'libs/http/authenticate.ts',
  'libs/http/connection.ts',
  'libs/http/fields.ts',
  'libs/http/request-input.ts',
  'libs/http/router.ts',
  'libs/ledger/group-request.ts',
  'libs/ledger/load-group.ts',
  'libs/ledger/settled-bets.ts',
  'libs/ledger/write-group.ts',
  'libs/reads/event-facts.ts',
  'libs/reads/shown-event.ts',
  'libs/reads/statement.ts',
];

/** `{ ...a, b }` and `{ get a() {} }`. A literal that is a spread alone is copied fast. @param {Node} node */
function isCostly(node) {
  if (node.type !== 'ObjectExpression') return false;
  const [first, ...more] = node.properties;
  if (first?.type === 'SpreadElement' && more.length > 0) return true;
  return node.properties.some((one) => one.type === 'ObjectMethod' && one.kind !== 'method');
}

/** The lines of such literals in functions: all others are made once. @param {unknown} program @returns {number[]} */
export function linesOfCostlyObjects(program) {
  const nodes = [...nodesIn(program)].filter(isFunction).flatMap((body) => [...nodesIn(body)]);
  return [...new Set(nodes.filter(isCostly))].map(({ loc }) => loc?.start.line ?? 0);
}

/** Each of them in a hot file, as a line of text. @param {string} file @param {unknown} program */
export function findCostlyObjects(file, program) {
  if (!HOT_FILES.some((hot) => file.endsWith(`/${hot}`))) return [];
  const fault = 'an object that costs V8 a hidden class each time (docs/decisions/0053-what-v8-likes.md)';
  return linesOfCostlyObjects(program).map((line) => `${file}:${line} ${fault}`);
}
