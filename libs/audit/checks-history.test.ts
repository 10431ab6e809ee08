import { describe, it } from '@jest/globals';
import {
  type Case,
  checks,
  firstTrail,
  latestTrail,
  setUpLedger,
  transactionOf,
  wager,
} from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

const ofTransactions: Record<string, Case> = {
  'the amount of a settlement': {
    sql: ({ won }) => `UPDATE transactions SET amount = amount + 1 WHERE ${transactionOf(won, 2)}`,
    found: { [checks.balance]: 1, [checks.after]: 1, [checks.pairs]: 1, [checks.moved]: 1, [checks.sum]: 1 },
    said: ({ won }) =>
      `bet ${won}: settled as win moved 12.34569 for the requester and -12.345691 for the acceptor, should be 12.34569`,
  },
  'the amounts of a settlement, both alike': {
    sql: ({ won }) => `UPDATE transactions SET amount = amount + 1 WHERE bet_trail_id = ${latestTrail(won)}`,
    found: { [checks.balance]: 2, [checks.after]: 2, [checks.moved]: 1 },
  },
  'a balance after a transaction': {
    sql: ({ won }) => `UPDATE transactions SET balance_after = balance_after + 1 WHERE ${transactionOf(won, 2)}`,
    found: { [checks.after]: 1 },
    said: () => 'is not the sum up to it, one of 1',
  },
  'the name of a transaction that is not there': {
    sql: () => `UPDATE movement_labels SET transaction_id = 4711`,
    found: { [checks.label]: 1 },
    said: () => 'transaction 4711: does not exist, and is called payout-1',
  },
  'the name of a transaction of a bet': {
    sql: ({ won }) =>
      `UPDATE movement_labels SET transaction_id = (SELECT id FROM transactions WHERE ${transactionOf(won, 2)})`,
    found: { [checks.label]: 1 },
    said: () => 'is a bet transaction, and is called payout-1',
  },
  'an amount paid in': {
    sql: () => `UPDATE transactions SET amount = amount + 1 WHERE transaction_source = 'funding' AND user_id = 1`,
    found: { [checks.balance]: 1, [checks.after]: 1, [checks.effect]: 1 },
  },
  'a credit that is a debit': {
    sql: ({ won }) => `UPDATE transactions SET transaction_type = 'debit' WHERE ${transactionOf(won, 1)}`,
    found: { [checks.balance]: 1, [checks.after]: 1, [checks.pairs]: 1, [checks.moved]: 1, [checks.sum]: 1 },
  },
  'an amount that moves nothing': {
    sql: ({ won }) => [
      'ALTER TABLE transactions DROP CONSTRAINT transactions_sign_in_type',
      `UPDATE transactions SET transaction_type = 'no-action' WHERE ${transactionOf(won, 1)}`,
    ],
    found: {
      [checks.balance]: 1,
      [checks.after]: 1,
      [checks.pairs]: 1,
      [checks.moved]: 1,
      [checks.zeros]: 1,
      [checks.sum]: 1,
    },
  },
  'a transaction that was moved to another user': {
    sql: ({ won }) => `UPDATE transactions SET user_id = 3 WHERE ${transactionOf(won, 2)}`,
    found: { [checks.balance]: 2, [checks.after]: 2, [checks.party]: 1, [checks.pairs]: 1, [checks.moved]: 1 },
    said: () => 'is of a user who is no party of it',
  },
  'two transactions that changed their users': {
    sql: ({ won }) => `UPDATE transactions SET user_id = 3 - user_id WHERE bet_trail_id = ${latestTrail(won)}`,
    found: { [checks.balance]: 2, [checks.after]: 2, [checks.moved]: 1 },
  },
  'a deleted transaction': {
    sql: ({ won }) => `DELETE FROM transactions WHERE ${transactionOf(won, 1)}`,
    found: {
      [checks.step]: 1,
      [checks.names]: 1,
      [checks.balance]: 1,
      [checks.after]: 1,
      [checks.pairs]: 1,
      [checks.moved]: 1,
      [checks.totals]: 1,
      [checks.sum]: 1,
    },
  },
  'a deleted pair that moved nothing': {
    sql: ({ pushed }) => `DELETE FROM transactions WHERE bet_trail_id = ${latestTrail(pushed)}`,
    found: { [checks.moved]: 1, [checks.totals]: 1, [checks.step]: 1, [checks.names]: 1 },
    said: ({ pushed }) => `bet ${pushed}: settled as push, and has 0 transactions for each party`,
  },
  'a settlement written twice': {
    sql: ({ won }) => `
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type,
                                transaction_source, bet_trail_id, balance_after)
      SELECT account_id, user_id, amount, description, transaction_type, transaction_source, bet_trail_id,
             balance_after + CASE transaction_type WHEN 'credit' THEN amount ELSE -amount END
        FROM transactions WHERE bet_trail_id = ${latestTrail(won)}`,
    found: {
      [checks.balance]: 2,
      [checks.after]: 2,
      [checks.moved]: 1,
      [checks.totals]: 1,
      [checks.step]: 1,
      [checks.names]: 1,
    },
  },
  'a transaction on another entry of its bet': {
    sql: ({ won }) => `UPDATE transactions SET bet_trail_id = ${firstTrail(won)} WHERE ${transactionOf(won, 1)}`,
    found: { [checks.pairs]: 1, [checks.step]: 1, [checks.names]: 2 },
  },
  'a settlement on the trail of another bet': {
    sql: ({ won, pushed }) =>
      `UPDATE transactions SET bet_trail_id = ${latestTrail(pushed)} WHERE bet_trail_id = ${latestTrail(won)}`,
    found: { [checks.party]: 1, [checks.pairs]: 1, [checks.moved]: 2, [checks.step]: 2, [checks.names]: 2 },
  },
};

const ofTrails: Record<string, Case> = {
  'an entry that names the transactions of another': {
    sql: ({ won }) => `UPDATE bet_trails SET last_transaction_id = first_transaction_id WHERE id = ${latestTrail(won)}`,
    found: { [checks.names]: 1 },
  },
  'a deleted entry of a settlement': {
    sql: ({ won }) => `DELETE FROM bet_trails WHERE id = ${latestTrail(won)}`,
    found: { [checks.party]: 1, [checks.moved]: 1, [checks.latest]: 1, [checks.logged]: 1 },
    said: () => 'hangs on a trail entry or bet that does not exist',
  },
  'a deleted entry of an offer': {
    sql: ({ won }) => `DELETE FROM bet_trails WHERE id = ${firstTrail(won)}`,
    found: { [checks.whole]: 1, [checks.logged]: 1, [checks.step]: 1 },
    said: ({ won }) => `bet ${won}: has a trail that does not begin with the offer`,
  },
  'a deleted entry of an acceptance': {
    sql: ({ won }) =>
      `DELETE FROM bet_trails WHERE bet_id = ${won} AND outcome = 'undecided' AND offer_status = 'accepted'`,
    found: { [checks.whole]: 1, [checks.lastMatched]: 1, [checks.logged]: 1, [checks.step]: 1 },
  },
  'a deleted entry of an expiry': {
    sql: ({ expired }) => `DELETE FROM bet_trails WHERE id = ${latestTrail(expired)}`,
    found: { [checks.latest]: 1, [checks.logged]: 1 },
    said: ({ expired }) => `bet ${expired}: is expired; its latest trail entry says requesting`,
  },
  'a deleted trail': {
    sql: ({ open }) => `DELETE FROM bet_trails WHERE bet_id = ${open}`,
    found: { [checks.whole]: 1, [checks.logged]: 1 },
    said: ({ open }) => `bet ${open}: has no trail entries`,
  },
  'the status of an entry': {
    sql: ({ expired }) => `UPDATE bet_trails SET offer_status = 'canceled' WHERE id = ${latestTrail(expired)}`,
    found: { [checks.latest]: 1, [checks.entries]: 1, [checks.step]: 1 },
  },
  'the status of an entry in between': {
    sql: ({ won }) =>
      `UPDATE bet_trails SET offer_status = 'expired' WHERE bet_id = ${won} AND outcome = 'undecided' AND offer_status = 'accepted'`,
    found: { [checks.whole]: 1, [checks.entries]: 1, [checks.step]: 1 },
  },
  'the outcome of an entry': {
    sql: ({ pushed }) => `UPDATE bet_trails SET outcome = 'void' WHERE id = ${latestTrail(pushed)}`,
    found: { [checks.latest]: 1 },
    said: ({ pushed }) => `bet ${pushed}: is settled as push; its latest trail entry says void`,
  },
  'an entry of an unknown outcome': {
    sql: ({ expired }) => `UPDATE bet_trails SET outcome = 'draw' WHERE id = ${latestTrail(expired)}`,
    found: { [checks.entries]: 1 },
  },
  'an entry of an unknown override': {
    sql: ({ expired }) => `UPDATE bet_trails SET override_outcome = 'draw' WHERE id = ${latestTrail(expired)}`,
    found: { [checks.latest]: 1, [checks.entries]: 1, [checks.step]: 1 },
  },
  'an entry of an unknown status': {
    sql: ({ won }) => `UPDATE bet_trails SET offer_status = 'sold' WHERE id = ${firstTrail(won)}`,
    found: { [checks.whole]: 1, [checks.entries]: 1 },
  },
  'the wager of an entry': {
    sql: ({ won }) => `UPDATE bet_trails SET wager_id = ${wager('half')} WHERE id = ${firstTrail(won)}`,
    found: { [checks.entries]: 1 },
  },
  'the terms of an entry': {
    sql: ({ won }) => `UPDATE bet_trails SET requesting_amount = requesting_amount + 1 WHERE id = ${firstTrail(won)}`,
    found: { [checks.entries]: 1 },
  },
  'what an entry says was accepted': {
    sql: ({ won }) => `UPDATE bet_trails SET accepting_amount = accepting_amount + 1 WHERE id = ${latestTrail(won)}`,
    found: { [checks.entries]: 1 },
  },
};

describe('the audit finds a wrong transaction:', () => {
  it.each(Object.entries(ofTransactions))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds a wrong trail:', () => {
  it.each(Object.entries(ofTrails))('%s', (_what, wrong) => ledger.expectFound(wrong));
});
