import { describe, it } from '@jest/globals';
import { type Case, checks, setUpLedger } from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

/** The decision on the wager `settling` left two bets and an offer to the worker. */
const leftOpen = { [checks.status]: 1, [checks.settled]: 2 };

const ofWork: Record<string, Case> = {
  'a settlement without undone work in the outbox': {
    sql: () => `UPDATE outbox SET done_at = now() WHERE topic = 'settle-wager'`,
    found: { ...leftOpen, [checks.hasWork]: 1 },
    said: () => 'wager 7: is settling, and no undone settle-wager entry of the outbox asks for it',
  },
  'a settlement that is not marked': {
    sql: () => `UPDATE wagers SET settling_since = NULL WHERE reference = 'settling'`,
    found: leftOpen,
  },
  'a settlement whose mark is behind a bet that it left': {
    sql: ({ settling }) => `UPDATE wagers SET settled_up_to = ${settling[0]} WHERE reference = 'settling'`,
    found: { [checks.settled]: 1 },
    said: ({ settling }) => `bet ${settling[0]}: is not settled, should be settled as loss (wager 7: loss)`,
  },
  'a settlement that takes too long': {
    sql: () => `UPDATE wagers SET settling_since = now() - interval '16 minutes' WHERE reference = 'settling'`,
    found: { [checks.ends]: 1 },
  },
  'a failed settlement': {
    sql: () => `UPDATE outbox SET failed_at = now(), failure = 'no reason' WHERE topic = 'settle-wager'`,
    found: { ...leftOpen, [checks.hasWork]: 1, [checks.failed]: 1 },
    said: () => '(settle-wager): of wager 7 failed: no reason',
  },
  'a failed check of portfolios': {
    sql: () => `UPDATE outbox SET failed_at = now() WHERE topic = 'check-portfolios'`,
    found: { [checks.failed]: 5 },
  },
  'canceling offers without undone work in the outbox': {
    sql: () =>
      `UPDATE wagers SET pending_cancels = '[{"position": 1, "user_id": 1, "minimum_odds": null, "maximum_odds": null,
         "queue_place": 1, "bet_id": 1}]' WHERE reference = 'settling'`,
    found: { [checks.cancels]: 1 },
    said: () => 'wager 7: has canceling offers, and no undone cancel-offers entry of the outbox asks for it',
  },
  'work that is undone for too long': {
    sql: () => `UPDATE outbox SET created_at = now() - interval '16 minutes' WHERE topic = 'settle-wager'`,
    found: { [checks.late]: 1 },
  },
  'a mail that is not sent for too long': {
    sql: () =>
      `INSERT INTO outbox (account_id, topic, created_at) VALUES (1, 'verification-mail', now() - interval '121 minutes')`,
    found: { [checks.late]: 1 },
  },
  'work on no wager': {
    sql: () => `INSERT INTO outbox (account_id, topic, payload) VALUES (1, 'settle-wager', '{"wagerId": "4711"}')`,
    found: { [checks.aimless]: 1 },
  },
};

const ofAccess: Record<string, Case> = {
  'a date of keys that no key has': {
    sql: () => `UPDATE accounts SET api_key_generated_at = '2026-01-15T00:00:00Z'`,
    found: { [checks.keyDate]: 1 },
    said: () => 'says that its newest key is of 2026-01-15 00:00:00+00, it is of never',
  },
  'a status that was changed without an event': {
    sql: () => [
      `INSERT INTO account_events (account_id, type, actor, after)
       SELECT id, 'status-changed', '{"type": "admin"}', '{"status": "suspended"}' FROM accounts`,
    ],
    found: { [checks.accountStatus]: 1 },
    said: () => 'is active, its last event says suspended',
  },
};

const ofExports: Record<string, Case> = {
  'an export that no work asks for': {
    sql: () => `UPDATE outbox SET done_at = now() WHERE topic = 'make-export' AND payload ->> 'exportId' = '2'`,
    found: { [checks.exportWork]: 1 },
    said: () => 'export 2: is running, and no undone make-export entry of the outbox asks for it',
  },
  'work on an export that has ended': {
    sql: () => `UPDATE outbox SET done_at = NULL WHERE topic = 'make-export'`,
    found: { [checks.exportWork]: 1 },
    said: () => 'export 3: is done, and an undone make-export entry of the outbox asks for it',
  },
  'three exports at the same time': {
    sql: () => [
      `UPDATE exports SET state = 'running', runs = 1 WHERE id = 1`,
      `INSERT INTO exports (account_id, id, kind, format, period_start, period_end, state, runs)
       VALUES (1, 9, 'bets', 'csv', '2026-01-01', '2026-02-01', 'running', 1)`,
      `INSERT INTO outbox (account_id, topic, payload) VALUES (1, 'make-export', '{"exportId": "9"}')`,
    ],
    found: { [checks.exportCrowd]: 3 },
  },
  'an export that waits for too long': {
    sql: () => `UPDATE outbox SET created_at = now() - interval '121 minutes'
                 WHERE topic = 'make-export' AND payload ->> 'exportId' = '1'`,
    found: { [checks.late]: 1 },
  },
};

const ofWebhooks: Record<string, Case> = {
  'an endpoint that no worker serves': {
    sql: () => `UPDATE webhook_endpoints SET next_at = now() - interval '16 minutes', lease = 'x',
                  lease_until = now() - interval '15 minutes' WHERE id = 1`,
    found: { [checks.webhookServed]: 1 },
    said: () => 'webhook endpoint 1: is due since',
  },
  'an endpoint that is leased for too long': {
    sql: () => `UPDATE webhook_endpoints SET lease = 'x', lease_until = now() + interval '16 minutes' WHERE id = 1`,
    found: { [checks.webhookServed]: 1 },
    said: () => 'webhook endpoint 1: is leased until',
  },
  'a webhook endpoint beyond the end of the log': {
    sql: () => 'UPDATE webhook_endpoints SET cursor_seq = 4711 WHERE id = 1',
    found: { [checks.webhookPosition]: 1 },
    said: () => 'webhook endpoint 1: is at event 4711, and the log ends with ',
  },
  'a webhook endpoint whose cursor has gone back without what waits': {
    sql: () => 'UPDATE webhook_endpoints SET cursor_seq = 3 WHERE id = 1',
    found: { [checks.webhookWaiting]: 1 },
    said: () => 'webhook endpoint 1: is at event 3, and event 5 waits for it',
  },
  'a failure that was forgotten': {
    sql: () => 'DELETE FROM webhook_deliveries WHERE attempts > 0',
    found: { [checks.webhookFailing]: 1 },
    said: () => 'webhook endpoint 2: is failing, and 0 deliveries that have failed wait',
  },
};

const tolerated: Record<string, Case> = {
  'a mail that waits for an hour and a half': {
    sql: () =>
      `INSERT INTO outbox (account_id, topic, created_at) VALUES (1, 'verification-mail', now() - interval '90 minutes')`,
    found: {},
  },
  'an export that waits for an hour and a half': {
    sql: () => `UPDATE outbox SET created_at = now() - interval '90 minutes' WHERE topic = 'make-export'`,
    found: {},
  },
  'a mail that failed for good': {
    sql: () => `INSERT INTO outbox (account_id, topic, failed_at, created_at)
                VALUES (1, 'verification-mail', now(), now() - interval '1 day')`,
    found: {},
  },
  'a wager that settles for a quarter of an hour': {
    sql: () => `UPDATE wagers SET settling_since = now() - interval '14 minutes' WHERE reference = 'settling'`,
    found: {},
  },
};

describe('the audit finds wrong work:', () => {
  it.each(Object.entries(ofWork))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds a wrong export:', () => {
  it.each(Object.entries(ofExports))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds a wrong webhook endpoint:', () => {
  it.each(Object.entries(ofWebhooks))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds a wrong account:', () => {
  it.each(Object.entries(ofAccess))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit accepts', () => {
  it.each(Object.entries(tolerated))('%s', (_what, wrong) => ledger.expectFound(wrong));
});
