import { beforeEach, describe, expect, it } from '@jest/globals';
import { SecondLedger } from '#proof/second-ledger/second-ledger.js';
import { cancellation, decision, offer } from '#testing/core/builders.js';
import type { LoggedEvent } from './stored-log.js';
import { tasksOfWorker } from './worker-tasks.js';

const event = (kind: LoggedEvent['kind'], ref: string, extra = {}) => [{ kind, ref, extra } as LoggedEvent];
const canceled = event('offer.canceled', 's');

let second: SecondLedger;
let steps: Map<string, { wager: string }>;

const statuses = () => second.picture.bets.map(({ offerStatus }) => offerStatus);
const wagerId = () => second.facts.wagers[0]?.id ?? 0n;
const suspend = () =>
  second.run({ type: 'suspend_wager', wagerReference: offer().wagerReference, reason: null, cancelOffers: true });

beforeEach(() => {
  const users = [1n, 2n].map((id) => {
    return { id, reference: `u${id}`, allowNegativeBalance: true, startBalance: 0n };
  });
  second = new SecondLedger({ allowNegativeBalance: true, users });
  for (const user of ['u1', 'u1', 'u1', 'u2']) second.run(offer({ requestingUser: { reference: user } }));
  steps = new Map([['s', { wager: String(wagerId()) }]]);
});

describe('a transaction of the worker that cancels', () => {
  it('goes on with the next pending cancel of the wager', () => {
    second.run(cancellation({ cancelAll: true, bound: 1, requestingUser: { reference: 'u1' } }));
    suspend();
    const [task] = tasksOfWorker(second, canceled, steps);
    expect(statuses()).toEqual(['canceled', 'requesting', 'requesting', 'requesting']);
    second.run(task ?? []);
    expect(statuses()).toEqual(['canceled', 'canceled', 'canceled', 'canceled']);
    expect(second.facts.wagers[0]?.pendingCancels).toEqual([]);
  });

  it('comes after those that found nothing, which no log has', () => {
    suspend();
    second.run({ type: 'cancel_chunk', wagerId: wagerId(), bound: 250 });
    second.run({ type: 'resume_wager', wagerReference: offer().wagerReference });
    second.run(offer());
    suspend();
    const [task] = tasksOfWorker(second, canceled, steps);
    second.run(task ?? []);
    expect(statuses().at(-1)).toBe('canceled');
  });

  it('may have been a settlement, which cancels what was canceling before the decision', () => {
    second.run(decision('win'));
    expect(tasksOfWorker(second, canceled, steps).at(-1)).toMatchObject({ type: 'settle_chunk' });
  });
});

it.each([
  ['wager.closed', {}, 'run_clock'],
  ['wager.settled', {}, 'settle_chunk'],
])('after %s the worker did %s', (kind, extra, type) => {
  const events = event(kind as LoggedEvent['kind'], String(wagerId()), extra);
  expect(tasksOfWorker(second, events, steps)).toMatchObject([{ type }]);
});

it.each([
  [{ reason: 'time' }, 'run_clock'],
  [{}, 'settle_chunk'],
])('an offer that expired for %j is of a %s', (extra, type) => {
  expect(tasksOfWorker(second, event('offer.expired', 's', extra), steps)).toMatchObject([{ type }]);
});
