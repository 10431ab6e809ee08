import { describe, it } from '@jest/globals';
import { type Case, checks, setUpLedger } from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

const restOf = (betId: bigint) => `queue_place = ${betId} AND id <> ${betId}`;

const deleteRestOf = (betId: bigint) => [
  `DELETE FROM bet_trails WHERE bet_id = (SELECT id FROM bets WHERE ${restOf(betId)})`,
  `DELETE FROM bets WHERE ${restOf(betId)}`,
];

/** A deleted offer is missed by its user and by the totals. */
const missed = { [checks.exposure]: 1, [checks.position]: 1, [checks.totals]: 1 };

const ofParts: Record<string, Case> = {
  'the rest lost after a partial acceptance': {
    sql: ({ forBob }) => deleteRestOf(forBob),
    found: { ...missed, [checks.rest]: 1, [checks.logged]: 1 },
    said: ({ forBob }) => `bet ${forBob}: left 2.5 of its offer, and no rest has it`,
  },
  'the rest lost after a partial cancel': {
    sql: ({ canceled }) => deleteRestOf(canceled),
    found: { ...missed, [checks.rest]: 1, [checks.effect]: 1, [checks.logged]: 1 },
    said: ({ canceled }) => `bet ${canceled}: left 4 of its offer, and no rest has it`,
  },
  'a rest that is too large': {
    sql: ({ canceled }) => [
      `UPDATE bets SET requesting_amount = requesting_amount + 1 WHERE ${restOf(canceled)}`,
      `UPDATE bet_trails SET requesting_amount = requesting_amount + 1
        WHERE bet_id = (SELECT id FROM bets WHERE ${restOf(canceled)})`,
    ],
    found: { ...missed, [checks.rest]: 1 },
    said: () => 'is a rest of 4.000001; what was left is 4',
  },
  'a rest at the end of the queue': {
    sql: ({ forBob }) => `UPDATE bets SET queue_place = id WHERE ${restOf(forBob)}`,
    found: { [checks.rest]: 1 },
  },
  'a rest in the place of another offer of its user': {
    sql: ({ forBob, open }) => `UPDATE bets SET queue_place = ${open} WHERE ${restOf(forBob)}`,
    found: { [checks.rest]: 2, [checks.place]: 1 },
    said: ({ open }) => `has the place of bet ${open}, of which it cannot be the rest`,
  },
  'an offer in the place of another': {
    sql: ({ open, accepted }) => `UPDATE bets SET queue_place = ${open} WHERE id = ${accepted}`,
    found: { [checks.rest]: 1, [checks.place]: 1 },
    said: ({ accepted }) => `bet ${accepted}: is a rest of 7; what was left is 0`,
  },
  'an offer in a place that does not exist': {
    sql: ({ open }) => `UPDATE bets SET queue_place = 4711 WHERE id = ${open}`,
    found: { [checks.rest]: 1, [checks.place]: 1 },
    said: ({ open }) => `bet ${open}: has the place of bet 4711, which does not exist`,
  },
  'a rest with other data than its offer': {
    sql: ({ forBob }) => `UPDATE bets SET meta = '{"a": "b"}' WHERE ${restOf(forBob)}`,
    found: { [checks.place]: 1 },
  },
  'a rest that is open to other acceptors': {
    sql: ({ forBob }) => `UPDATE bets SET allowed_acceptor_ids = '{}' WHERE ${restOf(forBob)}`,
    found: { [checks.place]: 1 },
  },
};

const wrongWay = (source: string, type: string) => [
  'ALTER TABLE transactions DROP CONSTRAINT transactions_funding_is_credit',
  'ALTER TABLE transactions DROP CONSTRAINT transactions_withdrawal_is_debit',
  `UPDATE transactions SET transaction_type = '${type}' WHERE transaction_source = '${source}' AND user_id = 3`,
  `UPDATE balances SET balance = (SELECT sum(CASE transaction_type WHEN 'credit' THEN amount WHEN 'debit' THEN -amount ELSE 0 END)
                                    FROM transactions WHERE user_id = 3) WHERE user_id = 3`,
];

const ofMoney: Record<string, Case> = {
  'a withdrawal as a credit': {
    sql: () => wrongWay('withdrawal', 'credit'),
    found: { [checks.direction]: 1, [checks.after]: 1 },
    said: () => 'account 1, user 3 (cat): transaction 4 moved money the wrong way',
  },
  'a funding as a debit': {
    sql: () => wrongWay('funding', 'debit'),
    found: { [checks.direction]: 1, [checks.after]: 1, [checks.effect]: 1 },
  },
};

const ofUser1 = `account_id = 1 AND body LIKE '%"user_id":1,%'`;

const ofAnswers: Record<string, Case> = {
  'an answer that names no transaction': {
    sql: () =>
      `UPDATE stored_answers SET body = jsonb_set(body::jsonb, '{data,id}', '4711')::text WHERE body LIKE '%"user_id":1,%'`,
    found: { [checks.effect]: 1 },
    said: () => 'names transaction 4711, which does not exist',
  },
  'an answer that names another transaction': {
    sql: () => `UPDATE stored_answers SET body = jsonb_set(body::jsonb, '{data,amount}', '999')::text WHERE ${ofUser1}`,
    found: { [checks.effect]: 1 },
    said: () => 'with another content',
  },
  'two answers that name one funding': {
    sql: () => `INSERT INTO stored_answers (account_id, key, request_hash, status, body)
                SELECT account_id, 'again', request_hash, status, body FROM stored_answers WHERE ${ofUser1}`,
    found: { [checks.shared]: 2 },
    said: () => 'account 1, answer to key again: names transaction',
  },
  'an acceptance that names no bet, in a batch': {
    sql: () => `UPDATE stored_answers SET body = jsonb_build_object('results', jsonb_build_array(
                  jsonb_build_object('message', 'x'),
                  jsonb_build_object('data', jsonb_set(body::jsonb -> 'data', '{0,bet_id}', '4711'))))::text
                WHERE key = 'for bob'`,
    found: { [checks.effect]: 1 },
    said: () => 'account 1, answer to key for bob: names bet 4711, which does not exist',
  },
  'an acceptance for another amount': {
    sql: () => `UPDATE stored_answers SET body = jsonb_set(body::jsonb, '{data,0,accepted_amount}', '1.4')::text
                 WHERE key = 'for bob'`,
    found: { [checks.effect]: 1 },
    said: ({ forBob }) => `names bet ${forBob} with other terms`,
  },
  'a user that was not created': {
    sql: () => `INSERT INTO stored_answers (account_id, key, request_hash, status, body)
                VALUES (1, 'user', 'x', 201, '{"data":{"id":4711,"reference":"dan","created_at":"now"}}')`,
    found: { [checks.effect]: 1 },
    said: () => 'account 1, answer to key user: names user 4711, which does not exist',
  },
};

describe('the audit finds a wrong part of an offer:', () => {
  it.each(Object.entries(ofParts))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds money that went the wrong way:', () => {
  it.each(Object.entries(ofMoney))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds a stored answer without its effect:', () => {
  it.each(Object.entries(ofAnswers))('%s', (_what, wrong) => ledger.expectFound(wrong));
});
