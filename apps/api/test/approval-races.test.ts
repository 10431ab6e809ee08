import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer, TestClient } from '#testing/client.js';
import { casesOf } from '#testing/long-form.js';
import { addPerson } from '#testing/people.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

// Two processes, several accounts, and several wagers of each at once. What an account previews takes turns in each process.

const RACES = casesOf({ short: 60, long: 10_000 });
const ACCOUNTS = 3;
const WAGERS_AT_ONCE = 2;
/** Of the event loop, by which one of the two is late. */
const MOST_TURNS = 160;
const TIMEOUT_MS = 240_000 + RACES * 1_000;

const api = withTestApi({ processes: 2, settings: { RATE_LIMITS: 'off', REQUEST_LIMITS: 'off' } });
const random = createSeededRandom(testSeed);

/** A person's client of each process. */
type Clients = readonly [TestClient, TestClient];

interface Racing {
  readonly business: TestBusiness;
  readonly ann: Clients;
  readonly bea: Clients;
  readonly cat: Clients;
}

interface Asked {
  readonly reference: string;
  readonly id: number;
  readonly revision: number;
}

let accounts: readonly Racing[];

async function openRacing(): Promise<Racing> {
  const [first, second] = api.clients as [TestClient, TestClient];
  const clientsOf = ({ token }: { readonly token: string }) => [first.as({ token }), second.as({ token })] as const;
  const business = await openTestBusiness(first);
  const accountId = business.account.id;
  const bea = await addPerson(api.database, first, { accountId });
  const cat = await addPerson(api.database, first, { accountId, name: 'Cat' });
  await business.user('ann', 1_000_000);
  await business.user('bob', 1_000_000);
  // Direct decisions of so much need no approval, and are compared with the bound under the lock.
  const approvals = { kinds: ['update_wager_outcome'], above: 100, expires_in: 3_600 };
  ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
  return { business, ann: clientsOf(business.account), bea: clientsOf(bea), cat: clientsOf(cat) };
}

beforeAll(async () => {
  accounts = await Promise.all(Array.from({ length: ACCOUNTS }, openRacing));
});

async function askFor({ business }: Racing, reference: string): Promise<Asked> {
  ok(await business.make('ann', 1, 2, { wager_reference: reference }));
  ok(await business.accept('bob', 1, { wager_reference: reference }));
  const operation = { type: 'update_wager_outcome', reference, outcome: 'win' };
  const asked = { operation, reason: 'The match is over' };
  const { id, revision } = ok(await business.client.post('/change-requests', asked)).data;
  return { reference, id, revision };
}

const approve =
  (client: TestClient, { id, revision }: Asked) =>
  () =>
    client.post(`/change-requests/${id}/approve`, { revision });

const isDone = ({ status }: Answer) => status === 200 || status === 201;

interface Flight {
  readonly answer: Answer;
  readonly sentAt: number;
  readonly answeredAt: number;
}

async function fly(call: () => Promise<Answer>, turnsLate: number): Promise<Flight> {
  for (let turns = turnsLate; turns > 0; turns -= 1) await nextTurn();
  const sentAt = performance.now();
  const answer = await call();
  return { answer, sentAt, answeredAt: performance.now() };
}

/** Undefined: one was answered before the other one was sent. */
async function together(
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
): Promise<[Answer, Answer] | undefined> {
  const late = random.below(2 * MOST_TURNS) - MOST_TURNS;
  const [first, second] = await Promise.all([fly(one, late), fly(other, -late)]);
  const isRace = first.sentAt < second.answeredAt && second.sentAt < first.answeredAt;
  return isRace ? [first.answer, second.answer] : undefined;
}

/** The race returns whether it was one. */
async function raceAll(name: string, race: (racing: Racing, asked: Asked) => Promise<boolean>): Promise<void> {
  let [started, raced] = [0, 0];
  const run = async (racing: Racing) => {
    while (raced < RACES) {
      started += 1;
      if (await race(racing, await askFor(racing, `${name}-${started}`))) raced += 1;
    }
  };
  await Promise.all(accounts.flatMap((racing) => Array.from({ length: WAGERS_AT_ONCE }, () => run(racing))));
  await expectBooksToBalance(api.database);
}

it(
  'an approval and a direct decision: never both',
  async () => {
    const won = { approval: 0, decision: 0 };
    await raceAll('direct', async (racing, asked) => {
      const { business, ann, bea } = racing;
      const { reference } = asked;
      const decision = { reference, outcome: 'loss' };
      const decide = () => random.pick(ann).post('/bets/update-wager-outcome', decision);
      const answers = await together(approve(random.pick(bea), asked), decide);
      const { outcome } = ok(await business.client.get(`/wagers/${reference}`), 200).data;
      if (answers === undefined) return false;
      const [approval, direct] = answers;
      expect([isDone(approval), isDone(direct)].filter(Boolean)).toHaveLength(1);
      expect(outcome).toBe(isDone(approval) ? 'win' : 'loss');
      won[isDone(approval) ? 'approval' : 'decision'] += 1;
      return true;
    });
    // Either may be first, or these were no races.
    expect(Math.min(won.approval, won.decision)).toBeGreaterThan(0);
    if (RACES > 1_000) process.stderr.write(`${JSON.stringify({ seed: testSeed, won })}\n`);
  },
  TIMEOUT_MS,
);

it(
  'two approvals: one 200, one 409',
  async () => {
    await raceAll('twice', async ({ bea, cat }, asked) => {
      const answers = await together(approve(random.pick(bea), asked), approve(random.pick(cat), asked));
      if (answers === undefined) return false;
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      return true;
    });
  },
  TIMEOUT_MS,
);
