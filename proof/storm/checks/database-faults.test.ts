import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { FAULTLESS_STORM_MS, type FaultlessStorm, runFaultlessStorm } from '#testing/faultless-storm.js';
import type { History } from '../history.js';
import { checkBalances } from './balances/check-balances.js';
import { AcknowledgedEffects } from './effects.js';
import type { CheckInput } from './finding.js';
import { checkLastWrites } from './stored/check-last-writes.js';
import { checkMails } from './stored/check-mails.js';
import { checkSettlements } from './stored/check-settlements.js';
import { checkStoredAnswers } from './stored/check-stored-answers.js';
import { checkWebhooks } from './stored/check-webhooks.js';
import { compareEffects } from './stored/compare-effects.js';

// One falsified row for each comparison and each rule, in the database of a short storm without faults.

let storm: FaultlessStorm;
let history: History;

beforeAll(async () => {
  storm = await runFaultlessStorm();
  history = storm.history;
}, FAULTLESS_STORM_MS);

afterAll(() => storm?.close());

describe('in the database, the checks find', () => {
  const one = (table: string, condition: string) => `ctid = (SELECT ctid FROM ${table} WHERE ${condition} LIMIT 1)`;
  const change = (table: string, assignment: string, condition: string) =>
    `UPDATE ${table} SET ${assignment} WHERE ${one(table, condition)}`;
  const remove = (table: string, condition: string) => `DELETE FROM ${table} WHERE ${one(table, condition)}`;
  const describedAs = (description: string, condition: string) =>
    change('bet_trails', `description = ${description}`, condition);
  const accountOf = (name: string) => `account_id = (SELECT id FROM accounts WHERE email = '${name}@storm.example')`;
  const bulkBet = (condition: string) =>
    `${accountOf('bulk')} AND bet_id IN (SELECT id FROM bets WHERE ${accountOf('bulk')} AND ${condition})`;

  const restOf = (what: string) => `${accountOf('bulk')} AND description LIKE 'Offer for the rest of ${what} bet %'`;
  const restsOfAccepted = `SELECT description FROM bet_trails WHERE ${restOf('accepted')}`;

  it.each<[string, string, RegExp]>([
    [
      'an account',
      change('accounts', `email = 'x' || email`, 'true'),
      /accounts registered: acknowledged, but missing: /,
    ],
    ['a user', change('users', `reference = reference || 'x'`, 'true'), /users created: acknowledged, but missing: /],
    ['a lost user', remove('users', 'true'), /users created: acknowledged, but missing: /],
    [
      'an amount of money',
      change('transactions', 'amount = amount + 1', `transaction_source = 'funding'`),
      /payments: stored, but never acknowledged: /,
    ],
    [
      'the odds of an offer',
      change('bets', 'requesting_odds = requesting_odds + 1', 'queue_place = id'),
      /offers made: stored, but never acknowledged: /,
    ],
    [
      'an accepted amount',
      change('bets', 'effective_amount = effective_amount - 1', 'accepting_user_id IS NOT NULL'),
      /offers accepted: acknowledged, but missing: /,
    ],
    [
      'a canceled offer that is open',
      change('bets', `offer_status = 'requesting'`, `offer_status = 'canceled'`),
      /offers canceled: acknowledged, but missing: /,
    ],
    [
      'a rest of a canceled offer',
      describedAs(
        `'Offer for the rest of canceled bet ' || (SELECT min(id) FROM bets WHERE offer_status = 'canceled')`,
        `description = 'Offer made' AND account_id =
           (SELECT account_id FROM bets WHERE offer_status = 'canceled' ORDER BY id LIMIT 1)`,
      ),
      /offers canceled: stored, but never acknowledged: .*canceled but for bet /,
    ],
    [
      'an override',
      change('bet_trails', 'override_outcome = NULL', `description LIKE 'Outcome overridden: %'`),
      /outcomes overridden: stored, but never acknowledged: .*is overridden to $/m,
    ],
    [
      'a correction of a bet',
      describedAs(`description || ' twice'`, `description ~ '^(Bet set (in)?active|Override).* by admin '`),
      /bets corrected by the admin: acknowledged, but missing: /,
    ],
    [
      'a correction of a wager',
      describedAs(`'Bet settled by admin 5 (admin@storm.example): never asked for'`, `description = 'Offer made'`),
      /wagers corrected by the admin: stored, but never acknowledged: never asked for/,
    ],
    [
      'a correction in other words',
      describedAs(`'Bet moved by admin 5 (admin@storm.example): in other words'`, `description = 'Offer made'`),
      /each correction names its kind: .*"Bet moved by admin .*in other words"/,
    ],
    ['a mail', remove('outbox', `topic = 'verification-mail'`), /mails asked for: acknowledged, but missing: /],
    [
      'a reset code',
      change('outbox', `topic = 'password-reset-mail'`, `topic = 'verification-mail' AND ${accountOf('plain-1')}`),
      /reset codes match the requests for them: plain-1@storm.example: 1, requested 0 to 0 times/,
    ],
    [
      'an answer that is not stored',
      remove('stored_answers', 'status = 201'),
      /the answer stored for a key is the one given: acknowledged, but missing: /,
    ],
    [
      'a bet settled twice',
      describedAs(
        `'Bet settled again'`,
        `description NOT LIKE 'Bet settled%' AND ${bulkBet('settled_outcome IS NOT NULL')}`,
      ),
      /each bet of a decided wager is settled once: .*was settled 2 times/,
    ],
    [
      'a bet that moved one side alone',
      remove('transactions', `transaction_source = 'bet' AND ${accountOf('bulk')}`),
      /each bet of a decided wager is settled once: .*and moved 1 balances/,
    ],
    [
      'an offer that expired twice',
      describedAs(`'Offer expired'`, `description <> 'Offer expired' AND ${bulkBet(`offer_status = 'expired'`)}`),
      /each bet of a decided wager is settled once: .*expired 2 times/,
    ],
    [
      'a rest that is not offered',
      remove('bet_trails', restOf('accepted')),
      /the rest of an accepted offer is offered once: .*rests: nothing/,
    ],
    [
      'a rest offered twice',
      describedAs(
        `(SELECT min(description) FROM (${restsOfAccepted}) rests)`,
        `${restOf('accepted')} AND description > ANY (${restsOfAccepted})`,
      ),
      /the rest of an accepted offer is offered once: .*rests: \{\d+,\d+\}/,
    ],
    [
      'a bet from nowhere',
      describedAs(`'Offer found'`, `description = 'Offer made'`),
      /each bet was made, or is the rest of another: .*begins with "Offer found"/,
    ],
    [
      'a wager without bets',
      `INSERT INTO wagers (account_id, reference) SELECT id, 'empty' FROM accounts LIMIT 1`,
      /a wager begins with an offer: .*empty has no bets/,
    ],
    [
      'a webhook that is not noted as taken',
      remove('webhook_attempts', 'error IS NULL'),
      /the workers note each webhook once as taken: the \w+ endpoint of .*: event \d+ was noted 0 times/,
    ],
    [
      'a webhook noted twice as taken',
      change('webhook_attempts', 'seq = seq + 1', `error IS NULL AND ${accountOf('plain-2')}`),
      /event \d+ was noted 2 times/,
    ],
    [
      'a webhook of an event that is not in the log',
      `DELETE FROM event_groups WHERE ctid = (SELECT ctid FROM event_groups WHERE ${accountOf('plain-2')} ORDER BY last_seq DESC LIMIT 1)`,
      /webhooks have only events of the log .*endpoint of plain-2: .* is none of its events/,
    ],
    [
      'a ring of a doorbell for events that are not in the log',
      `DELETE FROM event_groups WHERE ctid = (SELECT ctid FROM event_groups WHERE ${accountOf('plain-1')} ORDER BY last_seq DESC LIMIT 1)`,
      /webhooks have only events of the log .*the doorbell endpoint of plain-1: .* is none of its events/,
    ],
    [
      'the name of an account',
      change('accounts', `name = 'Lost'`, 'true'),
      /the database holds the last written value: .*: name is Lost, last written: /,
    ],
    [
      'the settings of an account',
      change('accounts', `preferences = '{"allow_negative_balance": true}'`, `email LIKE 'plain%'`),
      /the database holds the last written value: .*negative balances is true, last written: never/,
    ],
    [
      'a field of a user',
      change('users', `meta = '{"field_1": "Lost"}'`, 'true'),
      /the database holds the last written value: .*field_1 of user \d+ is Lost/,
    ],
  ])('%s', async (_name, fault, expected) => {
    const found = await withFault(fault, async (input) => [
      ...(await compareEffects(input)).findings,
      ...(await checkSettlements(input.database)).findings,
      ...(await checkLastWrites(input)),
      ...(await checkStoredAnswers(history.operations, input.database)),
      ...(await checkWebhooks(history, input.database)).findings,
      ...(await checkMails(history.operations, { database: input.database, mailFolder: storm.mailFolder })).findings,
    ]);
    expect(found.map(({ check, text }) => `${check}: ${text}`).join('\n')).toMatch(expected);
  });

  it('a plain wager that was left to the workers', async () => {
    const fault = `
      INSERT INTO outbox (account_id, topic, payload, done_at)
      SELECT account_id, 'settle-wager', jsonb_build_object('wagerId', id), now() FROM wagers WHERE ${accountOf('plain-1')}`;
    const { findings, facts } = await withFault(fault, checkBalances);
    expect(findings).toEqual([
      {
        check: 'balances are linearizable',
        text: expect.stringMatching(/^plain-1: not checked; plain-1-w\d+ had more bets than a decision settles/),
      },
    ]);
    expect(facts).toEqual([expect.stringMatching(/^plain-2: .* are linearizable/)]);
  });

  /** In a database transaction that is never committed, without triggers and foreign keys, which would refuse it. */
  async function withFault<Result>(fault: string, look: (input: CheckInput) => Promise<Result>): Promise<Result> {
    const database = new pg.Client({ connectionString: storm.database.url });
    await database.connect();
    try {
      await database.query('BEGIN; SET LOCAL session_replication_role = replica');
      expect((await database.query(fault)).rowCount).toBeGreaterThan(0);
      return await look({ history, effects: new AcknowledgedEffects(history), database });
    } finally {
      await database.end();
    }
  }
});
