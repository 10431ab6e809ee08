import { describe, it } from '@jest/globals';
import { type Case, checks, setUpLedger } from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

const LAST = `account_id = 1 AND last_seq = (SELECT max(last_seq) FROM event_groups WHERE account_id = 1)`;

const ofLogs: Record<string, Case> = {
  'a head behind its log': {
    sql: () => 'UPDATE event_heads SET last_seq = last_seq - 1 WHERE account_id = 1',
    found: { [checks.head]: 1 },
  },
  'a lost head': {
    sql: () => 'DELETE FROM event_heads WHERE account_id = 1',
    found: { [checks.head]: 1, [checks.webhookPlace]: 2 },
    said: () => 'has events without a head',
  },
  'a gap': {
    sql: () => [
      `UPDATE event_groups SET first_seq = first_seq + 1, last_seq = last_seq + 1 WHERE ${LAST}`,
      'UPDATE event_heads SET last_seq = last_seq + 1 WHERE account_id = 1',
    ],
    found: { [checks.dense]: 1 },
    said: () => 'has 1 gaps in the numbers of its events',
  },
  'events of no operation': {
    sql: () => `UPDATE event_groups SET operations = '' WHERE ${LAST}`,
    found: { [checks.dense]: 1 },
  },
  'numbers without an event': {
    sql: () => [
      `UPDATE event_groups SET last_seq = last_seq + 1 WHERE ${LAST}`,
      'UPDATE event_heads SET last_seq = last_seq + 1 WHERE account_id = 1',
    ],
    found: { [checks.dense]: 1 },
    said: () => 'has 1 groups whose events or operations do not add up',
  },
  'a kind without an event': {
    sql: () => `UPDATE event_groups SET kinds = kinds || 0::smallint WHERE ${LAST}`,
    found: { [checks.dense]: 1 },
  },
  'an event about nothing': {
    sql: () => `UPDATE event_groups SET refs = refs[2:] WHERE ${LAST}`,
    found: { [checks.dense]: 1, [checks.logged]: 1 },
  },
  'a time that goes back': {
    sql: () => `UPDATE event_groups SET at = at - interval '1 hour' WHERE ${LAST}`,
    found: { [checks.times]: 1, [checks.head]: 1 },
  },
  'an event of another trail entry': {
    sql: () => `UPDATE event_groups SET refs[1] = 999999999 WHERE account_id = 1 AND last_seq =
      (SELECT max(last_seq) FROM event_groups WHERE account_id = 1 AND kinds[1] BETWEEN 4 AND 13 AND cardinality(kinds) = 1)`,
    found: { [checks.logged]: 2 },
    said: () => 'trail entry 999999999: has an event, but does not exist',
  },
  'an event of another transaction': {
    sql: () => `UPDATE event_groups SET refs[1] = 999999999 WHERE account_id = 1 AND last_seq =
      (SELECT max(last_seq) FROM event_groups WHERE account_id = 1 AND kinds[1] = 3)`,
    found: { [checks.logged]: 2 },
    said: () => 'transaction 999999999: has an event, but does not exist',
  },
};

describe('the audit finds a wrong event log:', () => {
  it.each(Object.entries(ofLogs))('%s', (_name, corruption) => ledger.expectFound(corruption));
});
