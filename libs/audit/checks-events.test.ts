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
    found: { [checks.head]: 1, [checks.webhookPosition]: 2 },
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
    found: { [checks.dense]: 1, [checks.head]: 1 },
  },
  'an event about nothing': {
    sql: () => `UPDATE event_groups SET refs = refs[2:] WHERE ${LAST}`,
    found: { [checks.dense]: 1, [checks.logged]: 1, [checks.wagerLogged]: 1 },
  },
  'a time that goes back': {
    sql: () => `UPDATE event_groups SET at = at - interval '1 hour' WHERE ${LAST}`,
    found: { [checks.times]: 1, [checks.head]: 1 },
  },
  'a head about another event': {
    sql: () => 'UPDATE event_heads SET last_ref = last_ref + 1 WHERE account_id = 1',
    found: { [checks.head]: 1 },
    said: () => 'has a head that is about another event than the last one',
  },
  'decimals that its account has not': {
    sql: () => 'UPDATE event_heads SET decimals = 2 WHERE account_id = 1',
    found: { [checks.logDecimals]: 1 },
    said: () => 'counts with no decimals, and its log with 2',
  },
  'a step of another kind': {
    sql: () => `UPDATE event_groups SET kinds[1] = 6 WHERE account_id = 1 AND last_seq =
      (SELECT min(last_seq) FROM event_groups WHERE account_id = 1 AND kinds[1] = 4)`,
    found: { [checks.step]: 1 },
    said: () => 'has events of the kinds {6}, should have {4}',
  },
  'the second event of a step of another kind': {
    sql: () => `UPDATE event_groups g SET kinds[changed.place] = 10
      FROM (SELECT last_seq, e.place FROM event_groups,
                   unnest(kinds, refs) WITH ORDINALITY AS e (kind, ref, place)
             WHERE account_id = 1 AND e.kind = 9 AND e.place > 1 AND kinds[e.place - 1] = 11
             ORDER BY last_seq LIMIT 1) changed
     WHERE g.account_id = 1 AND g.last_seq = changed.last_seq`,
    found: { [checks.step]: 1 },
    said: () => 'has events of the kinds {11,10}, should have {9}',
  },
  'an override that is told as something else': {
    sql: () => `UPDATE event_groups SET kinds[1] = 12 WHERE account_id = 1 AND last_seq =
      (SELECT min(last_seq) FROM event_groups WHERE account_id = 1 AND kinds[1] = 11)`,
    found: { [checks.step]: 1 },
    said: () => 'changes the override, and has events of the kinds {12',
  },
  'a decision of another outcome': {
    sql: () => `UPDATE event_groups g SET extras = jsonb_set(extras, ARRAY[(changed.place - 1)::text, 'outcome'], '"void"')
      FROM (SELECT last_seq, e.place FROM event_groups, unnest(kinds) WITH ORDINALITY AS e (kind, place)
             WHERE account_id = 1 AND e.kind IN (15, 16) ORDER BY last_seq DESC LIMIT 1) changed
     WHERE g.account_id = 1 AND g.last_seq = changed.last_seq`,
    found: { [checks.wagerLogged]: 1 },
    said: () => 'its last event says void',
  },
  'a lost beginning of a wager': {
    sql: () => `UPDATE event_groups g SET kinds[changed.place] = 17
      FROM (SELECT last_seq, e.place FROM event_groups, unnest(kinds) WITH ORDINALITY AS e (kind, place)
             WHERE account_id = 1 AND e.kind = 14 ORDER BY last_seq DESC LIMIT 1) changed
     WHERE g.account_id = 1 AND g.last_seq = changed.last_seq`,
    found: { [checks.wagerLogged]: 1 },
    said: () => 'has no event of its beginning',
  },
  'an event of no wager': {
    sql: () => `UPDATE event_groups g SET refs[changed.place] = 999999999
      FROM (SELECT last_seq, e.place FROM event_groups, unnest(kinds) WITH ORDINALITY AS e (kind, place)
             WHERE account_id = 1 AND e.kind = 17 ORDER BY last_seq DESC LIMIT 1) changed
     WHERE g.account_id = 1 AND g.last_seq = changed.last_seq`,
    found: { [checks.wagerLogged]: 1 },
    said: () => 'wager 999999999: has events, but does not exist',
  },
  'a dispute without an event': {
    sql: () => [
      `INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
       SELECT account_id, last_seq + 1, last_seq + 1, last_at, '{26}', '{3}', '1 worker' FROM event_heads WHERE account_id = 1`,
      'UPDATE event_heads SET last_seq = last_seq + 1, last_kind = 26, last_ref = 3 WHERE account_id = 1',
      'UPDATE balances SET disputed_since = now() WHERE account_id = 1 AND user_id = 3',
      'INSERT INTO disputes (account_id, user_id, opened_at) VALUES (1, 3, now())',
    ],
    found: { [checks.userLogged]: 1 },
    said: () => 'user 3: is disputed, its last event says agreed',
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
