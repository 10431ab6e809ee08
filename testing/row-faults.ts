import type { Queryable } from '#proof/storm/checks/finding.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import type { TestDatabase } from './databases.js';

// Falsified rows in the database of a storm: one for each comparison and each rule.

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

/** The statement that falsifies, and what the checks must find. */
export const rowFaults: readonly (readonly [name: string, fault: string, expected: RegExp])[] = [
  [
    'an account',
    change('accounts', `email = 'x' || email`, 'true'),
    /accounts registered: acknowledged, but missing: /,
  ],
  [
    'a user',
    change('users', `reference = reference || 'x'`, 'true'),
    /explains everything: .*acknowledged, but missing: user \d+ \(/,
  ],
  ['a lost user', remove('users', 'true'), /explains everything: .*acknowledged, but missing: user \d+ \(/],
  [
    'an amount of money',
    change('transactions', 'amount = amount + 1', `transaction_source = 'funding'`),
    /explains everything: .*fund .*stored, but never acknowledged: funding credit of/,
  ],
  [
    'the odds of an offer',
    change('bets', 'requesting_odds = requesting_odds + 1', 'queue_place = id'),
    /explains everything: .*stored, but never acknowledged: bet \d+ \(/,
  ],
  [
    'an accepted amount',
    change('bets', 'effective_amount = effective_amount - 1', 'accepting_user_id IS NOT NULL'),
    /explains everything: .*acknowledged, but missing: bet .*taken by \d/,
  ],
  [
    'a match at another time than its request',
    change('bets', `accepted_at = accepted_at + interval '1 hour'`, 'accepting_user_id IS NOT NULL'),
    /explains everything: .* is matched at \d+, sent at \d+, and logged at \d+/,
  ],
  [
    'an offer that expired before its time',
    change('bets', `expires_at = expires_at + interval '1 hour'`, 'timed_out'),
    /explains everything: .*stored, but never acknowledged: bet \d+ \(.*, timed out t/,
  ],
  [
    'a status that a wager does not have',
    change('wagers', `status = 'open', status_reason = NULL`, `status = 'closed'`),
    /explains everything: .*acknowledged, but missing: wager \d+ \(.*, closed/,
  ],
  [
    'a canceled offer that is open',
    change('bets', `offer_status = 'requesting'`, `offer_status = 'canceled'`),
    /explains everything: .*acknowledged, but missing: bet .*, canceled/,
  ],
  [
    'a rest of a canceled offer',
    describedAs(
      `'Offer for the rest of canceled bet ' || (SELECT min(id) FROM bets WHERE offer_status = 'canceled')`,
      `description = 'Offer made' AND account_id =
         (SELECT account_id FROM bets WHERE offer_status = 'canceled' ORDER BY id LIMIT 1)`,
    ),
    /explains everything: .*offer\.made of bet \d+ says "Offer for the rest of canceled bet /,
  ],
  [
    'an override',
    change('bet_trails', 'override_outcome = NULL', `description LIKE 'Outcome overridden: %'`),
    /explains everything: .*override .*stored, but never acknowledged: bet .*override none/,
  ],
  [
    'a correction of a bet',
    describedAs(`description || ' twice'`, `description ~ '^(Bet set (in)?active|Override).* by admin '`),
    /explains everything: .*bet\.\w+ of bet \d+ says ".* twice"/,
  ],
  [
    'a correction of a wager',
    describedAs(`'Bet settled by admin 5 (admin@storm.example): never asked for'`, `description = 'Offer made'`),
    /explains everything: .*says "Bet settled by admin .*never asked for"/,
  ],
  [
    'a correction in other words',
    describedAs(`'Bet moved by admin 5 (admin@storm.example): in other words'`, `description = 'Offer made'`),
    /explains everything: .*says "Bet moved by admin .*in other words"/,
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
    /explains everything: .*says "Bet settled again"/,
  ],
  [
    'a bet that moved one side alone',
    remove('transactions', `transaction_source = 'bet' AND ${accountOf('bulk')}`),
    /explains everything: .*acknowledged, but missing: bet \w+ of \d+ to user/,
  ],
  [
    'an offer that expired twice',
    describedAs(`'Offer expired'`, `description <> 'Offer expired' AND ${bulkBet(`offer_status = 'expired'`)}`),
    /explains everything: .* says "Offer expired"/,
  ],
  [
    'a rest that is not offered',
    remove('bet_trails', restOf('accepted')),
    /explains everything: .*acknowledged, but missing: bet \d+ is requesting/,
  ],
  [
    'a rest offered twice',
    describedAs(
      `(SELECT min(description) FROM (${restsOfAccepted}) rests)`,
      `${restOf('accepted')} AND description > ANY (${restsOfAccepted})`,
    ),
    /explains everything: .*says "Offer for the rest of accepted bet/,
  ],
  [
    'a bet from nowhere',
    describedAs(`'Offer found'`, `description = 'Offer made'`),
    /explains everything: .*says "Offer found"/,
  ],
  [
    'a wager without bets',
    `INSERT INTO wagers (account_id, reference) SELECT id, 'empty' FROM accounts LIMIT 1`,
    /explains everything: .*stored, but never acknowledged: wager \d+ \(empty\)/,
  ],
  [
    'a request that was done twice',
    `UPDATE event_groups SET operations = (SELECT operations FROM event_groups e WHERE e.account_id = event_groups.account_id AND cardinality(kinds) = 1 AND kinds[1] = 1 LIMIT 1)
      WHERE ${one('event_groups', `${accountOf('plain-1')} AND kinds = '{3}'`)}`,
    /explains everything: .*done twice: .*create-user/,
  ],
  [
    'a payment that the log does not have',
    change('event_groups', `kinds = '{15}'`, `${accountOf('plain-1')} AND kinds = '{3}'`),
    /explains everything: .*stored, but not in the log: payment \d+/,
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
    /explains everything: .*stored, but never acknowledged: account: Lost/,
  ],
  [
    'the settings of an account',
    change('accounts', `preferences = '{"allow_negative_balance": true}'`, `email LIKE 'plain%'`),
    /explains everything: .*stored, but never acknowledged: account: plain-\d, true/,
  ],
  [
    'a field of a user',
    change('users', `meta = '{"field_1": "Lost"}'`, 'true'),
    /explains everything: .*stored, but never acknowledged: field_1 of user \d+ is Lost/,
  ],
];

/** In a database transaction that is never committed, without triggers and foreign keys, which would refuse it. */
export async function withRowFault<Found>(
  { url }: Pick<TestDatabase, 'url'>,
  fault: string,
  look: (database: Queryable) => Promise<Found>,
): Promise<Found> {
  return withPostgresClient({ connectionString: url }, async (client) => {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    if (!(await client.query(fault)).rowCount) throw new Error(`no row fits: ${fault}`);
    return look(client);
  });
}
