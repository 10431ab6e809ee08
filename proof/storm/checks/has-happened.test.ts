import { beforeAll, expect, it } from '@jest/globals';
import { type EventKind, eventKinds } from '#core/records.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { hasHappened } from './has-happened.js';

const environment = withTestEnvironment(async () => undefined);
/** One of each is enough. */
const SECONDS = 1;
const byBusiness: readonly EventKind[] = [
  'user.created',
  'transaction.created',
  'offer.made',
  'offer.matched',
  'offer.canceled',
  'wager.suspended',
  'wager.resumed',
  'wager.closed',
  'wager.changed',
  'wager.decided',
  'bet.overridden',
];
const byWorker: readonly EventKind[] = ['wager.settled', 'wager.closed', 'offer.canceled', 'offer.expired'];
const logged = { 1: 0, 2: 0 };

async function log(account: 1 | 2, actor: string, kinds: readonly EventKind[]): Promise<void> {
  const [before, last] = [logged[account], logged[account] + kinds.length];
  const extras = { [kinds.indexOf('offer.expired')]: { reason: 'time' } };
  await environment.database.query(
    `INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras)
     VALUES ($1, $2, $3, now(), $4, $5, $6, $7)`,
    [
      account,
      before + 1,
      last,
      kinds.map((kind) => eventKinds[kind]),
      kinds.map(() => 1),
      `${kinds.length} ${actor} -`,
      extras,
    ],
  );
  logged[account] = last;
}

const happened = () => hasHappened(environment.database.url, SECONDS);

beforeAll(async () => {
  for (const [id, name] of ['plain-1', 'bulk'].entries()) {
    const values = [id + 1, name, `${name}@storm.example`];
    await environment.database.query('INSERT INTO accounts (id, name, email) VALUES ($1, $2, $3)', values);
  }
});

it('is said when the logs have all that is asked of a storm, by whom and in which account it is asked', async () => {
  await log(1, 'business', byBusiness);
  await log(1, 'worker', byWorker);
  await log(1, 'admin:1', ['bet.activated']);
  await log(1, 'business', ['wager.decided']);
  expect(await happened()).toBe(false);
  await log(2, 'business', ['wager.decided', 'bet.overridden']);
  expect(await happened()).toBe(false);
  await log(1, 'business', ['change_request.created']);
  expect(await happened()).toBe(true);
  expect(await hasHappened(environment.database.url, 60)).toBe(false);
});

it('is not said of a PostgreSQL that is away', async () => {
  expect(await hasHappened('postgresql://ledger@127.0.0.1:1/ledger', SECONDS)).toBe(false);
});
