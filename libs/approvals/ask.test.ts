import { expect, it } from '@jest/globals';
import { singleTask } from '#ledger/task.js';
import { expectBooksToBalance } from '#testing/books.js';
import { acceptanceOf, fundOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { type ApprovalsContext, type Asked, doOrAsk, ledgerOperationOf, makeChangeRequest } from './ask.js';

const fixture = useLedgerDatabase();
const ACCOUNT = 1n;
const presenting = { present: () => ({}), presentRequest: () => ({}) };

const decided = (reference: string): Asked => ({
  accountId: ACCOUNT,
  call: {},
  kind: 'update_wager_outcome',
  given: { type: 'update_wager_outcome', reference, outcome: 'win' },
  operation: { type: 'update_wager_outcome', reference, outcome: 'win' },
  action: null,
  maker: { id: 1n, name: 'Ann' },
  goOn: () => undefined,
});

/** As the ledger's, but that others match a bet once it has looked at what it decides, and before it does it. */
function contextWith(matchMeanwhile: () => Promise<unknown>): ApprovalsContext {
  let runs = 0;
  const { database, work } = fixture;
  const runAfter: ApprovalsContext['work']['runAfter'] = (accountId, prepare) =>
    work.runAfter(accountId, async (tx) => {
      const prepared = await prepare(tx);
      runs += 1;
      if (runs === 1) await matchMeanwhile();
      return prepared;
    });
  return { database, work: { runAfter }, settlementBound: 500, needsAdmin: false };
}

async function match(reference: string): Promise<void> {
  await fixture.work.runWaiting([singleTask(ACCOUNT, fundOf('ann', 10)), singleTask(ACCOUNT, fundOf('bob', 10))]);
  await fixture.work.runWaiting([singleTask(ACCOUNT, offerOf('ann', reference, 10))]);
  await fixture.work.runWaiting([singleTask(ACCOUNT, acceptanceOf('bob', reference, 10))]);
}

it('a wager that others make after the look at it is not decided unseen', async () => {
  const approvals = { kinds: ['update_wager_outcome'], above: 1, expires_in: 3_600 };
  await fixture.query(`UPDATE accounts SET preferences = '${JSON.stringify({ approvals })}' WHERE id = ${ACCOUNT}`);
  const context = contextWith(() => match('late'));
  expect(await doOrAsk(context, decided('late'), presenting)).toMatchObject({ asked: { state: 'pending' } });
  const request = { reason: 'The match is over', suspend: false, present: () => ({}) };
  const asked = await makeChangeRequest(
    contextWith(() => match('later')),
    decided('later'),
    request,
  );
  expect(asked).toMatchObject({ state: 'pending', shown: { figures: { moved: 10_000_000n } } });
  expect(await fixture.query(`SELECT outcome FROM wagers GROUP BY outcome`)).toEqual([{ outcome: 'undecided' }]);
  await expectBooksToBalance(fixture.environment.database);
});

it.each([
  ['what its bound allows', { bound: 500, moving: 9_999 }, 500],
  ['less of many bets, which it leaves to the worker', { bound: 500, moving: 10_000 }, 100],
  ['never more than its bound', { bound: 50, moving: 10_000 }, 50],
])('a decision moves %s', async (_, options, bound) => {
  const decision = await ledgerOperationOf(fixture.database.of(ACCOUNT), decided('large'), options);
  expect(decision).toMatchObject({ bound, pendingBefore: options.moving });
});
