import { describe, expect, it } from '@jest/globals';
import type { Kind, Operation } from '../history.js';
import { checkCoverage, figuresOf } from './check-coverage.js';

const operation = (kind: Kind, status: number, more: Partial<Operation> = {}): Operation => ({
  client: 1,
  account: { role: 'plain', name: 'plain', email: 'plain@storm.example', id: 1 },
  kind,
  request: { method: 'POST', path: '/', body: { reference: 'w', outcome: 'win' } },
  requestId: 'request',
  key: undefined,
  expected: 'success or refusal',
  calledAt: 0,
  answeredAt: 1,
  tries: [status],
  answers: [{ status, body: {} }],
  ...more,
});

/** The least counts, as the findings of an empty storm name them. */
const enough = new Map(
  checkCoverage(60, new Map()).findings.map(({ text }) => {
    const [, name = '', least] = /^(.*): 0, at least (\d+) in 60 s$/.exec(text) ?? [];
    return [name, Number(least)];
  }),
);

const textsOf = (seconds: number, figures: ReadonlyMap<string, number>) =>
  checkCoverage(seconds, figures).findings.map(({ text }) => text);

describe('the check of coverage', () => {
  it('has findings for an empty storm', () => {
    expect(enough.size).toBeGreaterThan(15);
    expect(enough.get('plain wagers decided')).toBe(2);
  });

  it('has none for the least counts', () => {
    expect(textsOf(60, enough)).toEqual([]);
    expect(textsOf(600, enough)).toEqual([]);
  });

  it.each([...enough])('finds too few %s', (name, least) => {
    expect(textsOf(60, new Map([...enough, [name, least - 1]]))).toEqual([
      `${name}: ${least - 1}, at least ${least} in 60 s`,
    ]);
  });

  it('requires at least one of every other count', () => {
    expect(textsOf(60, new Map([...enough, ['new things', 0]]))).toEqual(['new things: 0, at least 1 in 60 s']);
  });

  it('requires what is rare in a storm of a minute alone', () => {
    const without = new Map([...enough, ['change requests executed', 0]]);
    expect(textsOf(59, without)).toEqual([]);
    expect(textsOf(60, without)).toEqual(['change requests executed: 0, at least 1 in 60 s']);
  });

  it('requires less in a shorter storm, and nothing in a very short one', () => {
    const half = new Map([...enough].map(([name, least]) => [name, Math.ceil(least / 2)]));
    expect(textsOf(30, half)).toEqual([]);
    expect(textsOf(40, half)).not.toEqual([]);
    expect(checkCoverage(29, new Map())).toEqual({
      findings: [],
      fact: '29 s are too short to require enough of everything',
    });
  });
});

describe('the figures of a history', () => {
  it('count successes, refusals, retries and repeated answers', () => {
    const operations = [
      operation('decide', 200),
      operation('decide', 400),
      operation('read-user', 200, { tries: [0, 200] }),
      operation('fund', 404, { answers: [404, 404].map((status) => ({ status, body: {} })), tries: [404, 404] }),
      operation('cross-tenant', 404),
      operation('decide', 200, { account: { role: 'bulk', name: 'bulk', email: 'bulk@storm.example', id: 2 } }),
    ];
    expect(
      Object.fromEntries(
        figuresOf({
          accounts: [],
          logs: [],
          webhooks: [],
          hostility: { sent: 3, unread: 2, asked: 1, findings: [] },
          epochMs: 0,
          operations,
          seconds: 60,
        }),
      ),
    ).toEqual({
      operations: 6,
      successes: 3,
      refusals: 3,
      'reads of users': 1,
      'requests for data of other accounts': 1,
      'retried requests': 1,
      'requests answered more than once': 1,
      'odd requests': 3,
      'connections left unread': 2,
    });
  });
});
