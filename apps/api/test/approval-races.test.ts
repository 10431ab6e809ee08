import { beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer, TestClient } from '#testing/client.js';
import { isLongForm } from '#testing/long-form.js';
import { addPerson } from '#testing/people.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// Two processes: in one of them the previews of an account take turns.

const RACES = isLongForm ? 10_000 : 120;
const AT_ONCE = 4;

const api = withTestApi({ processes: 2, settings: { RATE_LIMITS: 'off', REQUEST_LIMITS: 'off' } });
let business: TestBusiness;
let bea: [TestClient, TestClient];
let cat: TestClient;

beforeAll(async () => {
  const [first, second] = api.clients as [TestClient, TestClient];
  business = await openTestBusiness(first);
  const accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
  const person = await addPerson(api.database, first, { accountId });
  bea = [person.client, second.as({ token: person.token })];
  cat = (await addPerson(api.database, second, { accountId, name: 'Cat' })).client;
  await business.user('ann', 1_000_000);
  await business.user('bob', 1_000_000);
  // Direct decisions of so much need no approval, and are compared with the bound under the lock.
  const approvals = { kinds: ['update_wager_outcome'], above: 100, expires_in: 3_600 };
  ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
});

async function askFor(reference: string): Promise<{ id: number; revision: number }> {
  ok(await business.make('ann', 1, 2, { wager_reference: reference }));
  ok(await business.accept('bob', 1, { wager_reference: reference }));
  const operation = { type: 'update_wager_outcome', reference, outcome: 'win' };
  return ok(await business.client.post('/change-requests', { operation, reason: 'The match is over' })).data;
}

const approve = (client: TestClient, { id, revision }: { id: number; revision: number }) =>
  client.post(`/change-requests/${id}/approve`, { revision });

/** Runs the races, some at once. */
async function raceAll(name: string, race: (reference: string) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: RACES }, (_, index) => index).values();
  const run = async () => {
    for (const number of numbers) await race(`${name}-${number}`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  await expectBooksToBalance(api.database);
}

const isDone = ({ status }: Answer) => status === 200 || status === 201;

it(
  'an approval and a direct decision: never both',
  async () => {
    const won = { approval: 0, decision: 0 };
    await raceAll('direct', async (reference) => {
      const request = await askFor(reference);
      const [approval, decision] = await Promise.all([
        approve(bea[1], request),
        business.client.post('/bets/update-wager-outcome', { reference, outcome: 'loss' }),
      ]);
      expect([isDone(approval), isDone(decision)].filter(Boolean)).toHaveLength(1);
      const { outcome } = ok(await business.client.get(`/wagers/${reference}`), 200).data;
      expect(outcome).toBe(isDone(approval) ? 'win' : 'loss');
      won[isDone(approval) ? 'approval' : 'decision'] += 1;
    });
    // Either may be first, or these were no races.
    expect(Math.min(won.approval, won.decision)).toBeGreaterThan(0);
  },
  RACES * 500,
);

it(
  'two approvals: one 200, one 409',
  async () => {
    await raceAll('twice', async (reference) => {
      const request = await askFor(reference);
      const answers = await Promise.all([approve(bea[0], request), approve(cat, request)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  },
  RACES * 500,
);
