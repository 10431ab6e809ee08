import { beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer, TestClient } from '#testing/client.js';
import { isLongForm } from '#testing/long-form.js';
import { addPerson } from '#testing/people.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// Two processes, and one race after the other: in each process what an account previews takes turns.

const RACES = isLongForm ? 10_000 : 60;
const TIMEOUT_MS = 240_000 + RACES * 1_000;

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

async function raceAll(race: (number: number) => Promise<void>): Promise<void> {
  for (let number = 0; number < RACES; number += 1) await race(number);
  await expectBooksToBalance(api.database);
}

const decide = (reference: string) =>
  business.client.post('/bets/update-wager-outcome', { reference, outcome: 'loss' });

/** So many reads before it give the other one a chance to be first. */
async function after(reads: number, call: () => Promise<Answer>): Promise<Answer> {
  for (let read = 0; read < reads; read += 1) ok(await business.client.get('/account/user'), 200);
  return call();
}

const isDone = ({ status }: Answer) => status === 200 || status === 201;

it(
  'an approval and a direct decision: never both',
  async () => {
    const won = { approval: 0, decision: 0 };
    await raceAll(async (number) => {
      const reference = `direct-${number}`;
      const request = await askFor(reference);
      const [approval, decision] = await Promise.all([
        after(number % 5, () => approve(bea[1], request)),
        after((number + 2) % 5, () => decide(reference)),
      ]);
      expect([isDone(approval), isDone(decision)].filter(Boolean)).toHaveLength(1);
      const { outcome } = ok(await business.client.get(`/wagers/${reference}`), 200).data;
      expect(outcome).toBe(isDone(approval) ? 'win' : 'loss');
      won[isDone(approval) ? 'approval' : 'decision'] += 1;
    });
    // Either may be first, or these were no races.
    expect(Math.min(won.approval, won.decision)).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

it(
  'two approvals: one 200, one 409',
  async () => {
    await raceAll(async (number) => {
      const request = await askFor(`twice-${number}`);
      const answers = await Promise.all([approve(bea[0], request), approve(cat, request)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  },
  TIMEOUT_MS,
);
