import { describe, expect, it } from '@jest/globals';
import type { Kind, Operation } from '../../history.js';
import { checkStatus } from './check-status.js';

const paths: Partial<Record<Kind, string>> = {
  suspend: '/wagers/w/suspend',
  close: '/wagers/w/close',
  resume: '/wagers/w/resume',
  batch: '/bets/batch',
};

/** One character for each unit of time: `kind |--|`. Without a second bar there was no answer. */
function operation(line: string): Operation {
  const [kind = ''] = line.split(' ');
  const [calledAt, answeredAt] = [line.indexOf('|'), line.lastIndexOf('|')];
  const isAnswered = answeredAt > calledAt;
  const [request, body] = bodies[kind as Kind] ?? [undefined, {}];
  return {
    client: 1,
    account: { role: 'plain', name: 'plain', email: 'plain@storm.example', id: 1 },
    kind: kind as Kind,
    request: { method: 'POST', path: paths[kind as Kind] ?? '/bets', ...(request !== undefined && { body: request }) },
    requestId: line,
    key: undefined,
    expected: 'success',
    tries: [],
    calledAt,
    answeredAt: isAnswered ? answeredAt : undefined,
    answers: isAnswered ? [{ status: 201, body }] : [],
  };
}

const made = { data: { wager_reference: 'w' } };
const bodies: Partial<Record<Kind, readonly [request: object | undefined, answer: object]>> = {
  'make-offer': [{ wager_reference: 'w' }, made],
  // By the id of a bet: only the answer names the wager.
  'accept-offer': [{ bet_id: 1 }, { data: [{ wager_reference: 'w' }] }],
  batch: [
    { operations: [{ operation_type: 'make_bet_offer', operation_id: 'a', data: { wager_reference: 'w' } }] },
    { results: [made] },
  ],
};

describe('a success on a wager that takes no bets', () => {
  it.each<[string, string[], RegExp | undefined]>([
    ['beside the suspension', ['suspend   |----|  ', 'make-offer    |--|'], undefined],
    ['before it', ['suspend       |--|', 'make-offer |-|'], undefined],
    ['after it', ['suspend |-|     ', 'make-offer     |-|'], /plain w: .*make-offer .* succeeded after .*suspend/],
    ['by the id of a bet', ['suspend |-|     ', 'accept-offer    |-|'], /accept-offer .* succeeded after/],
    ['in a batch', ['suspend |-|     ', 'batch            |-|'], /batch .* succeeded after/],
    ['after a resume', ['suspend |-|     ', 'resume      |-|', 'make-offer       |-|'], undefined],
    ['beside a resume', ['suspend |-|     ', 'resume      |----|', 'make-offer   |-|'], undefined],
    ['after a resume without an answer', ['suspend |-|', 'resume     |', 'make-offer    |-|'], undefined],
    ['after a resume before it', ['resume |-|', 'suspend     |-|', 'make-offer      |-|'], /succeeded after/],
    ['after a close', ['close |-|     ', 'resume     |-|', 'make-offer     |-|'], /succeeded after .*close/],
  ])('%s', (_name, lines, expected) => {
    const found = checkStatus(lines.map(operation)).map(({ text }) => text);
    expect(found).toHaveLength(expected === undefined ? 0 : 1);
    if (expected !== undefined) expect(found[0]).toMatch(expected);
  });
});
