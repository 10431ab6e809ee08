import { beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { chooser } from '#testing/list-rows.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import {
  type Admin,
  acceptance,
  offer,
  ok,
  openTestBusiness,
  registerAdmin,
  type TestBusiness,
} from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// Bets, decisions, overrides and corrections at the same time, through two API processes. Two workers settle most of what
// the decisions leave.

const environment = withTestEnvironment(async () =>
  Promise.all([...(workers ?? []), ...(apis ?? [])].map((part) => part.close())),
);
let apis: TestPart[];
let workers: Awaited<ReturnType<typeof startTestWorker>>[];
let admin: Admin;
let business: TestBusiness;
let accountId: number;

const USERS = ['ann', 'bob', 'cat', 'dan'];
const WAGERS = ['one', 'two', 'three', 'four'];
const OUTCOMES = ['undecided', 'win', 'half-win', 'push', 'half-loss', 'loss', 'void'];
const CALLERS = 12;
const CALLS_EACH = 40;
const LONG = 120_000;

beforeAll(async () => {
  apis = await Promise.all([0, 1].map(() => startTestApi(environment, { SETTLEMENT_BOUND: '2' })));
  workers = await Promise.all([0, 1].map(() => startTestWorker(environment, { SETTLEMENT_CHUNK: '3' })));
  const { client } = apis[0] as TestPart;
  admin = await registerAdmin(client, environment.database);
  business = await openTestBusiness(client);
  accountId = business.account.id;
  for (const name of USERS) await business.user(name, 10_000);
});

type Choose = ReturnType<typeof chooser>;
type Call = readonly [who: 'business' | 'admin', path: string, body: object];

/** Corrections undo decisions, so that wagers open again and again. */
function randomCall(choose: Choose, betIds: readonly number[]): Call {
  const wager_reference = choose(WAGERS);
  const amount = choose([1, 2.5, 7.000001]);
  const odds = choose([1, 1.5, 2.333333, 4]);
  const bet_id = choose([1, ...betIds]);
  const outcome = choose(OUTCOMES);
  const override_outcome = choose([...OUTCOMES, null]);
  const made = offer(choose(USERS), amount, odds, { wager_reference });
  const taken = acceptance(choose(USERS), amount, { wager_reference });
  const decided = { reference: wager_reference, outcome };
  const operations = [
    { operation_type: 'make_bet_offer', operation_id: 'a', data: made },
    { operation_type: 'accept_bet_offer', operation_id: 'b', data: taken },
    { operation_type: 'update_wager_outcome', operation_id: 'c', data: decided },
  ];
  return choose<Call>([
    ['business', '/bets/make-offer', made],
    ['business', '/bets/make-offer', made],
    ['business', '/bets/make-offer', made],
    ['business', '/bets/accept-offer', taken],
    ['business', '/bets/accept-offer', taken],
    ['business', '/bets/accept-offer', taken],
    ['business', '/bets/cancel-offer', { requesting_user_reference: choose(USERS), bet_id, cancel_all: true }],
    ['business', '/bets/update-wager-outcome', decided],
    ['business', '/bets/override-outcome', { bet_id, override_outcome: outcome }],
    ['business', '/bets/batch', { operations: choose([operations, operations.slice(0, 2)]) }],
    ['admin', `/admin/bets/${bet_id}/set-inactive`, {}],
    ['admin', `/admin/bets/${bet_id}/set-active`, {}],
    ['admin', '/admin/bets/force-update-override-outcome', { account_id: accountId, bet_id, override_outcome }],
    ['admin', '/admin/wagers/force-update-outcome', { account_id: accountId, wager_reference, outcome: 'undecided' }],
    ['admin', '/admin/wagers/force-update-outcome', { account_id: accountId, wager_reference, outcome }],
  ]);
}

const idle = async () => {
  const left = await environment.database.query(
    `SELECT 1 FROM wagers WHERE settling_since IS NOT NULL
     UNION ALL SELECT 1 FROM outbox WHERE done_at IS NULL AND topic IN ('settle-wager', 'check-portfolios')`,
  );
  return left.length === 0;
};

const openInLedger = async () => {
  const [counted] = await environment.database.query(
    `SELECT count(*)::int AS total FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      WHERE b.account_id = $1 AND offer_status = 'requesting' AND is_active AND outcome = 'undecided'`,
    [accountId],
  );
  return counted;
};

it(
  'ends with every bet where its facts say, and the books balance',
  async () => {
    const betIds: number[] = [];
    const statuses = new Map<number, number>();
    const caller = async (seed: number) => {
      const choose = chooser(seed);
      for (let call = 0; call < CALLS_EACH; call += 1) {
        const [who, path, body] = randomCall(choose, betIds);
        const { token } = who === 'admin' ? admin : business.account;
        const client = choose(apis).client.as({ token });
        const answer = await client.post(path, body);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (path === '/bets/make-offer' && answer.status === 201) betIds.push(answer.body.data.bet_id);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index + 1)));
    expect([...statuses.keys()].filter((status) => ![200, 201, 400, 404].includes(status))).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(CALLERS * 3);
    expect(statuses.get(201)).toBeGreaterThan(CALLERS * 3);
    await waitFor(idle, { timeoutMs: LONG / 2 });
    await expectBooksToBalance(environment.database);
    expect(ok(await business.client.get('/bets/open-bets'), 200)).toMatchObject({ ...(await openInLedger()) });

    // With every bet void, active and without an override, no user has won or lost anything.
    const all = await environment.database.query('SELECT id::float8 FROM bets');
    const restore = async (bet_id: unknown) => {
      const removed = { account_id: accountId, bet_id, override_outcome: null };
      const { status } = await admin.client.post('/admin/bets/force-update-override-outcome', removed);
      if (status === 200) await admin.client.post(`/admin/bets/${bet_id}/set-active`);
    };
    await Promise.all(all.map(({ id }) => restore(id)));
    for (const wager_reference of WAGERS) {
      const voided = { account_id: accountId, wager_reference, outcome: 'void' };
      ok(await admin.client.post('/admin/wagers/force-update-outcome', voided), 200);
    }
    await waitFor(idle, { timeoutMs: LONG / 2 });
    await expectBooksToBalance(environment.database);
    for (const name of USERS) expect(await business.moneyOf(name)).toEqual({ balance: 10_000, exposure: 0 });
    // The portfolio check had nothing to repair.
    expect(environment.logLines.filter((line) => line.includes('differed from the facts'))).toEqual([]);
  },
  LONG * 2,
);
