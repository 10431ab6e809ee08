import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Operation } from '#core/operation.js';
import { expectBooksToBalance } from '#testing/books.js';
import { admin } from '#testing/core/builders.js';
import { runOnce } from '#testing/databases.js';
import { ACCOUNT } from '#testing/full-ledger.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { singleTask } from './task.js';
import { createUnitOfWork } from './unit-of-work.js';

// A bet's terms cannot change, and a correction gives back what the bet's transactions have moved, or nothing.

const ledger = withOpenLedger();
const { query } = ledger;
let betId: bigint;

beforeAll(async () => {
  betId = await ledger.driver.match('ann', 'bob', 'decided', 10, 2);
  await ledger.driver.decide('decided', 'win');
});

/** As a provider who goes past the triggers of PostgreSQL, or a restore of some tables. */
const corrupt = (sql: string) =>
  runOnce(ledger.environment.database.url, `SET session_replication_role = 'replica'; ${sql}`);

const balances = async () =>
  (await query('SELECT balance::text FROM balances ORDER BY user_id')).map(({ balance }) => balance);

describe('the terms of a bet', () => {
  it.each([
    ...['requesting_user_id = 3', 'requesting_odds = requesting_odds + 1', 'requesting_amount = requesting_amount / 2'],
    ...['queue_place = queue_place + 1', 'wager_id = wager_id + 1'],
    ...['accepting_user_id = 3', 'effective_odds = effective_odds + 1'],
    ...[
      'effective_amount = effective_amount / 2',
      "offer_status = 'requesting', accepting_user_id = NULL, effective_odds = NULL, effective_amount = NULL, settled_outcome = NULL",
    ],
  ])('cannot become %s', async (change) => {
    const before = await query('SELECT * FROM bets');
    await expect(query(`UPDATE bets SET ${change} WHERE id = ${betId}`)).rejects.toThrow(
      'the terms of a bet stay as they are',
    );
    expect(await query('SELECT * FROM bets')).toEqual(before);
  });

  it('may be written again as they are', async () => {
    const same =
      'effective_odds = effective_odds, effective_amount = effective_amount, accepting_user_id = accepting_user_id';
    await query(`UPDATE bets SET ${same} WHERE id = ${betId}`);
  });
});

describe('a correction', () => {
  const corrections: readonly Operation[] = [
    { type: 'force_wager_outcome', wagerReference: 'decided', outcome: 'undecided', bound: 500, action: admin },
    { type: 'force_wager_outcome', wagerReference: 'decided', outcome: 'loss', bound: 500, action: admin },
  ];
  const ofTheBet = (): readonly Operation[] => [
    { type: 'override_bet_outcome', betId, overrideOutcome: 'loss' },
    { type: 'force_bet_override', betId, overrideOutcome: 'void', action: admin },
    { type: 'set_bet_active', betId, isActive: false, action: admin },
  ];

  const refused = async (operation: Operation): Promise<unknown> => {
    let alarms = 0;
    const { driver, environment } = ledger;
    const work = createUnitOfWork({
      database: driver.database,
      logger: environment.logger,
      relaySoon: () => undefined,
      onPaymentsDiffer: () => {
        alarms += 1;
      },
    });
    const linesBefore = environment.logLines.length;
    const [result] = await work.runWaiting([singleTask(ACCOUNT, operation)]);
    const lines = environment.logLines.slice(linesBefore).filter((line) => line.includes('a correction was refused'));
    return { result, alarms, lines: lines.length };
  };
  const asRefused = () => ({
    result: {
      kind: 'refused',
      rejection: {
        kind: 'conflict',
        text: `the transactions of bet ${betId} differ from its outcome: it cannot be corrected`,
      },
    },
    alarms: 1,
    lines: 1,
  });

  it.each([
    ['the amount of the bet was halved', 'UPDATE bets SET effective_amount = effective_amount / 2'],
    ['the odds of the bet were changed', 'UPDATE bets SET effective_odds = effective_odds + 1000'],
  ])('is refused with an alarm, and moves nothing, when %s', async (_, change) => {
    const before = await balances();
    const [stored] = await query(
      `SELECT effective_amount::text AS amount, effective_odds::text AS odds FROM bets WHERE id = ${betId}`,
    );
    await corrupt(`${change} WHERE id = ${betId}`);
    try {
      for (const operation of [...corrections, ...ofTheBet()])
        expect(await refused(operation)).toMatchObject(asRefused());
      expect(await balances()).toEqual(before);
    } finally {
      await corrupt(
        `UPDATE bets SET effective_amount = ${stored?.amount}, effective_odds = ${stored?.odds} WHERE id = ${betId}`,
      );
    }
  });

  it.each([
    ['of both users', `transaction_source = 'bet'`],
    ['of one user', `transaction_source = 'bet' AND user_id = 1`],
  ])('is refused when a transaction %s was changed', async (_, which) => {
    await corrupt(`UPDATE transactions SET amount = amount - 1 WHERE ${which}`);
    try {
      for (const operation of [...corrections, ...ofTheBet()])
        expect(await refused(operation)).toMatchObject(asRefused());
    } finally {
      await corrupt(`UPDATE transactions SET amount = amount + 1 WHERE ${which}`);
    }
  });

  it('gives back what was paid, and may come again and again, also in one group', async () => {
    const { driver } = ledger;
    const tasks = [...corrections, ...ofTheBet().slice(0, 1), ...corrections].map((operation) =>
      singleTask(ACCOUNT, operation),
    );
    const work = createUnitOfWork({
      database: driver.database,
      logger: ledger.environment.logger,
      relaySoon: () => undefined,
    });
    expect((await work.runWaiting(tasks)).map(({ kind }) => kind)).toEqual(tasks.map(() => 'done'));
    await driver.forceOverride(betId, null);
    await driver.force('decided', 'undecided');
    expect(await balances()).toEqual(['1000000000', '1000000000', '1000000000']);
    await driver.force('decided', 'win');
    await driver.setActive(betId, false);
    await driver.setActive(betId, true);
    expect(await balances()).toEqual(['1010000000', '990000000', '1000000000']);
    await expectBooksToBalance(ledger.environment.database);
  });
});
