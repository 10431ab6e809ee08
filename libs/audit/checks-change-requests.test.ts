import { describe, it } from '@jest/globals';
import { type Case, checks, setUpLedger } from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

/** A row whose event the log has not. */
const row = (state: string, more: Readonly<Record<string, string>> = {}) => {
  const columns = {
    account_id: '1',
    kind: `'set_active'`,
    operation: `'{}'`,
    target: `'wager:1'`,
    asks: `'account'`,
    suspended: 'false',
    revision: '0',
    made_by: '1',
    made_by_name: `'Ann'`,
    state: `'${state}'`,
    expires_at: `now() + interval '1 hour'`,
    ...(state !== 'pending' && { decided_at: 'now()', decided_by: '2', decided_by_name: `'Bea'` }),
    ...more,
  };
  return `INSERT INTO change_requests (${Object.keys(columns).join()}) VALUES (${Object.values(columns).join()})`;
};

/** The event of a kind, about the only request, in a group of its own behind the log. */
const told = (kinds: readonly number[]) => `
  WITH head AS (SELECT last_seq FROM event_heads WHERE account_id = 1),
  moved AS (UPDATE event_heads h SET last_seq = h.last_seq + ${kinds.length}, last_at = now(), last_kind = ${kinds.at(-1)},
                   last_ref = (SELECT max(id) FROM change_requests) WHERE h.account_id = 1 RETURNING last_at)
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
  SELECT 1, last_seq + 1, last_seq + ${kinds.length}, (SELECT last_at FROM moved), '{${kinds.join()}}',
         ARRAY[${kinds.map(() => '(SELECT max(id) FROM change_requests)').join()}], '${kinds.length} unknown -'
    FROM head`;

const wrong: Record<string, Case> = {
  'a request without an event': {
    sql: () => row('pending'),
    found: { [checks.requestTold]: 1 },
    said: () => 'was made, and has 0 such events',
  },
  'an end without an event': {
    sql: () => [row('rejected'), told([40])],
    found: { [checks.requestTold]: 1 },
    said: () => 'is rejected, and has 0 events of an end',
  },
  'an end with the event of another': {
    sql: () => [row('rejected'), told([40]), told([44])],
    found: { [checks.requestTold]: 1 },
    said: () => 'is rejected, and its end was of kind 44',
  },
  'an executed request without an effect': {
    sql: () => [row('executed'), told([40]), told([42])],
    found: { [checks.requestDone]: 1 },
    said: () => 'has 0 effects',
  },
  'a request that its maker has decided': {
    sql: () => [
      'ALTER TABLE change_requests DROP CONSTRAINT change_requests_another_decides',
      row('rejected', { decided_by: '1' }),
      told([40]),
      told([43]),
    ],
    found: { [checks.requestDecider]: 1 },
  },
  'a request that should have expired': {
    sql: () => [row('pending', { expires_at: `now() - interval '16 minutes'` }), told([40])],
    found: { [checks.requestOverdue]: 1 },
  },
};

const tolerated: Record<string, Case> = {
  'a request that waits': { sql: () => [row('pending'), told([40])], found: {} },
  'a request that was rejected': { sql: () => [row('rejected'), told([40]), told([43])], found: {} },
  'a request that is due': {
    sql: () => [row('pending', { expires_at: `now() - interval '14 minutes'` }), told([40])],
    found: {},
  },
};

describe('the audit finds', () => {
  it.each(Object.entries(wrong))('%s', (_what, each) => ledger.expectFound(each));
});

describe('the audit accepts', () => {
  it.each(Object.entries(tolerated))('%s', (_what, each) => ledger.expectFound(each));
});
