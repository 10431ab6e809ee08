import { beforeAll, describe, expect, it } from '@jest/globals';
import { byOdds, EVERYONE, endOfOdds, MoreOffers, reaches } from '#core/offers.js';
import type { Operation } from '#core/operation.js';
import { type Tx, withTx } from '#platform/database/database.js';
import { acceptanceOf, fundOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { GroupBook } from './group-book.js';
import { accountNeedsOf, requestOf } from './group-request.js';
import { singleTask, type Task } from './task.js';

const fixture = useLedgerDatabase();
const OFFERS = 30;

beforeAll(async () => {
  // Offers of bob at falling odds, so that matching order is not the order in which they were made.
  const offers = Array.from({ length: OFFERS }, (_, index) =>
    singleTask(1n, offerOf('bob', 'long', 1, 5 - index / 100)),
  );
  await fixture.work.run(offers);
  await fixture.work.run([singleTask(1n, offerOf('cat', 'short', 2)), singleTask(1n, offerOf('cat', 'untouched', 2))]);
});

const tasksOf = (...operations: Operation[]) => operations.map((operation) => singleTask(1n, operation));

async function loadedGroup(tx: Tx, tasks: readonly Task[]): Promise<GroupBook> {
  const group = new GroupBook(tasks, 'skip');
  await group.load(tx);
  return group;
}

const withGroup = <Result>(operations: Operation[], use: (group: GroupBook, tx: Tx) => Promise<Result> | Result) =>
  withTx(fixture.database.of(1n), async (tx) => use(await loadedGroup(tx, tasksOf(...operations)), tx));

describe('loading a group', () => {
  /** Rows that another transaction can lock at once: all except those that the group holds. */
  const unlocked = (select: string): Promise<unknown[]> =>
    withPostgresClient({ connectionString: fixture.environment.database.url }, async (client) => {
      const { rows } = await client.query({ text: `${select} FOR NO KEY UPDATE SKIP LOCKED`, rowMode: 'array' });
      return rows.flat();
    });

  it('locks the wagers and balances that its tasks touch, and no others', async () => {
    await withGroup([acceptanceOf('ann', 'short')], async () => {
      expect(await unlocked('SELECT reference FROM wagers ORDER BY reference')).toEqual(['long', 'untouched']);
      // Ann accepts and cat offered; bob has no part in it.
      expect(await unlocked('SELECT user_id::int FROM balances ORDER BY user_id')).toEqual([2, 4]);
    });
  });

  it('wants each user once in a wager, however many offers it makes', () => {
    const tasks = tasksOf(
      offerOf('ann', 'long'),
      offerOf('ann', 'long', 2),
      offerOf('ann', 'short'),
      offerOf('bob', 'long'),
    );
    const needs = tasks.flatMap((task) => task.needs.map((need) => accountNeedsOf(1n, need)));
    const wanted = requestOf(needs, []).users.map(({ reference, wagerReference }) => `${reference} ${wagerReference}`);
    expect(wanted).toEqual(['ann long', 'ann short', 'bob long']);
  });

  it('looks up users that are only named without locking them', async () => {
    const offer = { ...offerOf('ann', 'short'), allowedAcceptorReferences: ['bob', 'nobody'] };
    await withGroup([offer], async (group) => {
      expect(group.bookOf(1n).userIdOf({ reference: 'bob' })).toBe(2n);
      expect(group.bookOf(1n).userIdOf({ reference: 'nobody' })).toBeUndefined();
      expect(await unlocked('SELECT user_id::int FROM balances ORDER BY user_id')).toEqual([2, 3, 4]);
    });
  });

  it('keeps accounts apart', async () => {
    const tasks = [singleTask(1n, fundOf('ann')), singleTask(2n, fundOf('dan'))];
    await withTx(fixture.database.of(1n), async (tx) => {
      const group = await loadedGroup(tx, tasks);
      expect(group.bookOf(1n).userIdOf({ reference: 'dan' })).toBeUndefined();
      expect(group.bookOf(2n).userIdOf({ id: 1n })).toBeUndefined();
      expect(() => group.bookOf(3n)).toThrow('account 3 is not loaded');
    });
  });

  it('draws a wager id only for references that do not exist yet', async () => {
    const [before] = await fixture.query('SELECT last_value::int AS id FROM wagers_id_seq');
    await withGroup([offerOf('ann', 'long'), offerOf('ann', 'new'), offerOf('bob', 'new')], () => undefined);
    const [after] = await fixture.query('SELECT last_value::int AS id FROM wagers_id_seq');
    expect(Number(after?.id) - Number(before?.id)).toBe(1);
  });
});

describe('the offers of a wager', () => {
  it.each([
    { amount: 1, loaded: 2, because: 'one more than the amount takes' },
    { amount: 3, loaded: 4, because: 'one more than the amount takes' },
    { amount: OFFERS, loaded: 6, because: 'as far as the slice goes' },
  ])('are loaded from the front in matching order: of $amount $loaded, $because', async ({ amount, loaded: count }) => {
    await withGroup([acceptanceOf('ann', 'long', amount)], (group) => {
      const book = group.bookOf(1n);
      const wager = book.wagerNamed('long');
      const offers = book.offersOf(wager?.id ?? 0n);
      const loaded = offers.open();
      expect(loaded.map(({ requestingOdds }) => Number(requestingOdds) / 1e6)).toEqual(
        Array.from({ length: count }, (_, index) => Math.round((5 - (OFFERS - 1 - index) / 100) * 100) / 100),
      );
      const coverage = offers.coverageOf(EVERYONE);
      const last = loaded.at(-1) as (typeof loaded)[0];
      expect(reaches(coverage, last, byOdds)).toBe(true);
      expect(reaches(coverage, endOfOdds(last.requestingOdds), byOdds)).toBe(false);
    });
  });

  it('are loaded for the amounts of all acceptances of a group together', async () => {
    await withGroup([acceptanceOf('ann', 'long', 2), acceptanceOf('cat', 'long', 2)], (group) => {
      const wager = group.bookOf(1n).wagerNamed('long');
      expect(group.bookOf(1n).offersOf(wager?.id ?? 0n).bets.size).toBe(5);
    });
  });

  it('are loaded further for an operation that needs more, until it has enough', async () => {
    await withGroup([acceptanceOf('ann', 'long', OFFERS)], async (group, tx) => {
      const [task] = tasksOf(acceptanceOf('ann', 'long', OFFERS));
      const wanted = task?.run(group.bookOf(1n));
      expect(wanted).toBeInstanceOf(MoreOffers);
      await group.loadMore(tx, 1n, wanted as MoreOffers);
      expect(task?.run(group.bookOf(1n))).toHaveLength(OFFERS);
    });
  });

  it('are loaded all where the slice is longer than the book', async () => {
    await withGroup([acceptanceOf('ann', 'short', 100)], (group) => {
      const [task] = tasksOf(acceptanceOf('ann', 'short', 100));
      expect(task?.run(group.bookOf(1n))).toHaveLength(1);
    });
  });
});
