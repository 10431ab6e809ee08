import { beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { TestClient } from '#testing/client.js';
import { isLongForm } from '#testing/long-form.js';
import { addPerson } from '#testing/people.js';
import { ok } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

// Four people ask, decide and trade at random, beside a model of the rules: every status, wager and balance is compared.

const STEPS = isLongForm ? 2_000 : 250;
const ABOVE = 20;
const MICROS = 1_000_000;
const OUTCOMES = ['win', 'loss', 'push'] as const;
type Outcome = (typeof OUTCOMES)[number];

const api = withTestApi({ settings: { RATE_LIMITS: 'off', REQUEST_LIMITS: 'off' } });
const business = withBusiness(api);
const random = createSeededRandom(testSeed);

interface Person {
  readonly client: TestClient;
  readonly role: 'owner' | 'settler' | 'approver';
}

interface Wager {
  readonly reference: string;
  outcome: Outcome | 'undecided';
  status: 'open' | 'suspended';
  /** The request that has suspended it. */
  suspendedFor: number | null;
  revision: number;
  /** What all bets move when they win. */
  moved: number;
  /** What ann gets then, and bob pays. */
  net: number;
}

interface Request {
  readonly id: number;
  readonly maker: Person;
  readonly wager: Wager;
  readonly outcome: Outcome;
  readonly suspended: boolean;
  readonly revision: number;
  readonly net: number;
  state: string;
}

let people: readonly [Person, ...Person[]];
const wagers: Wager[] = [];
const requests: Request[] = [];
let balance = 0;

beforeAll(async () => {
  const { id: accountId } = business.account;
  const others = (['owner', 'settler', 'approver'] as const).map(async (role) => {
    const { client } = await addPerson(api.database, api.client, { accountId, role, name: `A ${role}` });
    return { client, role };
  });
  people = [{ client: business.client, role: 'owner' }, ...(await Promise.all(others))];
  await business.user('ann', 1_000_000);
  await business.user('bob', 1_000_000);
  const approvals = { kinds: ['update_wager_outcome'], above: ABOVE, expires_in: 3_600 };
  ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
});

const mayAsk = ({ role }: Person): boolean => role !== 'approver';
const mayDecide = ({ role }: Person): boolean => role !== 'settler';
const pendingOf = (wager: Wager) => requests.find((each) => each.wager === wager && each.state === 'pending');
const sign = { win: 1, loss: -1, push: 0 } as const;

function change(wager: Wager, facts: Partial<Wager>): void {
  Object.assign(wager, facts);
  wager.revision += 1;
}

function settle(wager: Wager, outcome: Outcome): void {
  change(wager, { outcome });
  balance += sign[outcome] * wager.net;
}

async function match(wager: Wager): Promise<void> {
  const amount = 1 + random.below(9);
  const [maker, taker] = random.happens(0.5) ? ['ann', 'bob'] : ['bob', 'ann'];
  const made = await business.make(maker as string, amount, 2, { wager_reference: wager.reference });
  const isTaken = wager.outcome === 'undecided' && wager.status === 'open';
  expect(made.status).toBe(isTaken ? 201 : 400);
  if (!isTaken) return;
  const { bet_id } = made.body.data;
  ok(await business.accept(taker as string, amount, { wager_reference: wager.reference, bet_id }));
  wager.moved += amount;
  wager.net += maker === 'ann' ? amount : -amount;
}

async function openWager(): Promise<void> {
  const wager: Wager = {
    reference: `wager-${wagers.length}`,
    outcome: 'undecided',
    status: 'open',
    suspendedFor: null,
    revision: 0,
    moved: 0,
    net: 0,
  };
  wagers.push(wager);
  await match(wager);
}

function noteRequest(id: number, asked: Omit<Request, 'id' | 'state' | 'revision' | 'net'>): void {
  const { wager, suspended } = asked;
  if (suspended) change(wager, { status: 'suspended', suspendedFor: id });
  requests.push({ ...asked, id, state: 'pending', revision: wager.revision, net: wager.net });
}

async function ask(maker: Person, wager: Wager): Promise<void> {
  const [outcome, suspend] = [random.pick(OUTCOMES), random.happens(0.4)];
  const operation = { type: 'update_wager_outcome', reference: wager.reference, outcome };
  const answer = await maker.client.post('/change-requests', { operation, reason: 'The match is over', suspend });
  if (!mayAsk(maker)) return expect(answer.status).toBe(403);
  if (wager.outcome !== 'undecided') return expect(answer.status).toBe(400);
  if (pendingOf(wager) !== undefined) return expect(answer.status).toBe(409);
  const suspended = suspend && wager.status === 'open';
  noteRequest(ok(answer).data.id, { maker, wager, outcome, suspended });
}

async function decide(maker: Person, wager: Wager): Promise<void> {
  const outcome = random.pick(OUTCOMES);
  const body = { reference: wager.reference, outcome };
  const answer = await maker.client.post('/bets/update-wager-outcome', body);
  if (!mayAsk(maker)) return expect(answer.status).toBe(403);
  if (wager.outcome !== 'undecided') return expect(answer.status).toBe(400);
  if (outcome === 'push' || wager.moved <= ABOVE) {
    ok(answer);
    return settle(wager, outcome);
  }
  if (pendingOf(wager) !== undefined) return expect(answer.status).toBe(409);
  noteRequest(ok(answer, 202).change_request.id, { maker, wager, outcome, suspended: false });
}

async function approve(person: Person, request: Request): Promise<void> {
  const { id, maker, wager, outcome, revision, net } = request;
  const seen = random.happens(0.9) ? revision : revision + 1;
  const answer = await person.client.post(`/change-requests/${id}/approve`, { revision: seen });
  if (!mayDecide(person)) return expect(answer.status).toBe(403);
  if (request.state !== 'pending') return expect(answer.status).toBe(409);
  if (person === maker) return expect(answer.status).toBe(403);
  const isSame = wager.outcome === 'undecided' && wager.revision === revision && wager.net === net;
  if (seen !== revision || !isSame) return expect(answer.status).toBe(409);
  expect(ok(answer, 200).data.state).toBe('executed');
  end(request, 'executed');
  settle(wager, outcome);
}

/** The wager takes offers again when only the request has suspended it. */
function end(request: Request, state: string): void {
  const { wager, id } = request;
  request.state = state;
  if (wager.suspendedFor !== id || wager.status !== 'suspended' || wager.outcome !== 'undecided') return;
  change(wager, { status: 'open', suspendedFor: null });
}

async function reject(person: Person, request: Request): Promise<void> {
  const answer = await person.client.post(`/change-requests/${request.id}/reject`, { reason: 'It is still running' });
  if (!mayDecide(person)) return expect(answer.status).toBe(403);
  if (request.state !== 'pending') return expect(answer.status).toBe(409);
  if (person === request.maker) return expect(answer.status).toBe(403);
  ok(answer, 200);
  end(request, 'rejected');
}

async function withdraw(person: Person, request: Request): Promise<void> {
  const answer = await person.client.post(`/change-requests/${request.id}/withdraw`);
  if (!mayAsk(person)) return expect(answer.status).toBe(403);
  if (request.state !== 'pending') return expect(answer.status).toBe(409);
  if (person !== request.maker) return expect(answer.status).toBe(403);
  ok(answer, 200);
  end(request, 'withdrawn');
}

async function suspendOrResume(wager: Wager): Promise<void> {
  const word = random.happens(0.5) ? 'suspend' : 'resume';
  const answer = await business.client.post(`/wagers/${wager.reference}/${word}`, word === 'suspend' ? {} : undefined);
  if (wager.outcome !== 'undecided') return expect(answer.status).toBe(400);
  ok(answer, 200);
  const status = word === 'suspend' ? 'suspended' : 'open';
  if (wager.status !== status) change(wager, { status, suspendedFor: null });
  // Who suspends it too has it stay suspended.
  wager.suspendedFor = null;
}

interface Choice {
  readonly weight: number;
  run(): Promise<void>;
}

async function step(): Promise<void> {
  const person = random.pick(people);
  if (wagers.length === 0 || random.happens(0.06)) return openWager();
  const wager = random.pick(wagers.slice(-6) as [Wager, ...Wager[]]);
  const recent = requests.slice(-6) as [Request, ...Request[]];
  const ofWager: readonly [Choice, ...Choice[]] = [
    { weight: 6, run: () => match(wager) },
    { weight: 4, run: () => ask(person, wager) },
    { weight: 2, run: () => decide(person, wager) },
    { weight: 1, run: () => suspendOrResume(wager) },
  ];
  const ofRequest: readonly Choice[] = [
    { weight: 6, run: () => approve(person, random.pick(recent)) },
    { weight: 1, run: () => reject(person, random.pick(recent)) },
    { weight: 1, run: () => withdraw(person, random.pick(recent)) },
  ];
  return random.pickWeighted(requests.length === 0 ? ofWager : [...ofWager, ...ofRequest]).run();
}

async function compare(): Promise<void> {
  for (const { reference, outcome, status, revision } of wagers.slice(-6)) {
    const { data } = ok(await business.client.get(`/wagers/${reference}`), 200);
    expect(data).toMatchObject({ reference, outcome, revision, ...(outcome === 'undecided' && { status }) });
  }
  for (const { id, state } of requests.slice(-6))
    expect(ok(await business.client.get(`/change-requests/${id}`), 200).data.state).toBe(state);
  const [ann] = await api.database.query(
    `SELECT m.balance::float8 FROM balances m JOIN users u ON u.id = m.user_id WHERE u.reference = 'ann'`,
  );
  expect(Number(ann?.balance) / MICROS).toBe(1_000_000 + balance);
}

it(
  'four people never do more than the rules let them',
  async () => {
    for (let count = 0; count < STEPS; count += 1) {
      await step();
      if (count % 10 === 0) await compare();
    }
    await compare();
    const states = new Set(requests.map(({ state }) => state));
    expect(states.has('executed')).toBe(true);
    await expectBooksToBalance(api.database);
  },
  240_000 + STEPS * 500,
);
