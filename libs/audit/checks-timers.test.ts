import { describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { type Case, checks, setUpLedger, wager } from '#testing/corrupted-ledger.js';
import { decisionOf } from '#testing/ledger-fixture.js';

const ledger = setUpLedger();

/** A row that is armed, and one that has fired: the times of both say how many minutes ago. */
const armed = (minutes: number, scope = 0) =>
  `INSERT INTO cancel_timers (account_id, scope, timeout_s, fires_at)
   VALUES (1, ${scope}, 60, now() - interval '${minutes} minutes')`;
const fired = (minutes: number, after: number | null) =>
  `INSERT INTO cancel_timers (account_id, scope, timeout_s, fired_at, fired_up_to, canceling_after)
   VALUES (1, 0, 60, now() - interval '${minutes} minutes', 1, ${after})`;
/** A sandbox whose clock is an hour ahead, since so many minutes. */
const sandbox = (minutes: number) =>
  `UPDATE accounts SET sandbox_of = 2, clock_ahead = 3600000000, updated_at = now() - interval '${minutes} minutes'`;

/** As if the decision of `won` had voided all. */
const voiding = (later = '-1 hour') => [
  `UPDATE bets SET accepted_at = accepted_at + interval '${later}' WHERE wager_id = ${wager('won')} AND accepted_at IS NOT NULL`,
  `UPDATE event_groups SET extras = jsonb_set(extras, ARRAY['0', 'void_matched_after'], '"0"')
    WHERE kinds[1] = ${eventKinds['wager.decided']} AND refs[1] = ${wager('won')}`,
];

const wrong: Record<string, Case> = {
  'a timer that should have fired': {
    sql: () => armed(16),
    found: { [checks.fires]: 1 },
    said: () => 'account 1, timer: should have fired at',
  },
  "a user's timer that should have fired": {
    sql: () => armed(16, 2),
    found: { [checks.fires]: 1 },
    said: () => 'account 1, timer of user 2: should have fired at',
  },
  "a sandbox's timer that should have fired by its clock": {
    sql: () => [armed(-44), sandbox(16)],
    found: { [checks.fires]: 1 },
  },
  'a timer whose offers nobody cancels': {
    sql: () => fired(16, 0),
    found: { [checks.fired]: 1 },
    said: () => 'timer: has fired at',
  },
  'bets that a decision should have voided': {
    sql: () => voiding(),
    found: { [checks.voided]: 2 },
    said: ({ won }) => `bet ${won}: is matched at`,
  },
  'a wager that voids and does not settle': {
    sql: () => `UPDATE wagers SET void_from = now() WHERE reference = 'won'`,
    found: { [checks.voiding]: 1 },
    said: () => 'wager 2: is settled, and has still to void what was matched from',
  },
};

const tolerated: Record<string, Case> = {
  'a timer that is due since a quarter of an hour': { sql: () => armed(14), found: {} },
  'a timer of a sandbox whose clock has just been moved': { sql: () => [armed(-40), sandbox(1)], found: {} },
  'a timer of a sandbox that is not due by its clock': { sql: () => [armed(-50), sandbox(120)], found: {} },
  'a timer of a sandbox that is being deleted': {
    sql: () => [armed(16), `UPDATE accounts SET sandbox_of = 2, removed_since = now()`],
    found: {},
  },
  'a timer that cancels since a quarter of an hour': { sql: () => fired(14, 0), found: {} },
  'a timer that has canceled long ago': { sql: () => fired(600, null), found: {} },
  'bets that were matched after a decision that voids': { sql: () => voiding('1 hour'), found: {} },
};

describe('the audit finds', () => {
  it.each(Object.entries(wrong))('%s', (_what, each) => ledger.expectFound(each));
});

describe('the audit accepts', () => {
  it.each(Object.entries(tolerated))('%s', (_what, each) => ledger.expectFound(each));

  it('a bet that a decision has voided, whatever has become of it since', async () => {
    const { match, run, forceOverride } = ledger.driver();
    const bets = [await match('ann', 'bob', 'voided', 1), await match('ann', 'bob', 'voided', 2)] as const;
    await run({ ...decisionOf('voided'), voidMatchedAfter: 0n });
    await forceOverride(bets[0], null);
    await forceOverride(bets[1], 'loss');
    expect(await ledger.differencesAfter()).toEqual([]);
  });
});
