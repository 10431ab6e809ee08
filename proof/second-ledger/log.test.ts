import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, TestClient } from '#testing/client.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { factsFromLog, type LogEvent } from './facts-from-log.js';
import { pictureOf } from './picture.js';

// What readers of the event log see while many write: the second ledger, fed by nothing but the log, against what the API
// shows at the same moment; and readers that follow the log, each by its cursor alone.

const USERS = ['ann', 'bob', 'cat', 'dan'] as const;
const WAGERS = ['one', 'two', 'three'] as const;
const OUTCOMES = ['win', 'loss', 'push', 'half-win', 'half-loss', 'void', 'undecided'] as const;
const AS_OF = 'ledger-as-of';

const api = withTestApi({ processes: 2, hasWorker: true, settings: { SETTLEMENT_BOUND: '2' } });
const business = withBusiness(api);
let admin: Admin;
let accountId: number;

/** Each COMMIT that adds events takes up to 30 ms, after all its statements. */
const SLOW_COMMITS = `
  CREATE FUNCTION wait_before_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_sleep(random() * 0.03);
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON event_groups DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait_before_commit()`;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  accountId = business.account.id;
  for (const name of USERS) await business.user(name);
  await api.database.query(SLOW_COMMITS);
});

/** Reads the log, and then what is added to it until `isOver`, as a program that remembers nothing but `next`. */
async function follow(client: TestClient, query: string, isOver = () => true): Promise<LogEvent[]> {
  const all: LogEvent[] = [];
  for (let after = ''; ; ) {
    const isLast = isOver();
    const page = ok(await client.get(`/events?${query}${after}`), 200);
    all.push(...page.data);
    if (isLast && !page.has_more) return all;
    after = `&after=${page.next}`;
  }
}

const wholeLog = () => follow(business.client, 'limit=1000');

interface Shown {
  /** The cursor of the answer's moment. */
  readonly asOf: string | null;
  readonly what: 'users' | 'offers';
  readonly rows: readonly string[];
}

async function usersShown(client: TestClient): Promise<Shown> {
  const answer = await client.get('/account/user?per_page=100');
  const { items } = ok(answer, 200).data;
  const rows = items.map(({ id, balance, exposure }: Record<string, number>) => [id, balance, exposure]);
  return { asOf: answer.headers.get(AS_OF), what: 'users', rows: rows.map(String).toSorted() };
}

async function offersShown(client: TestClient): Promise<Shown> {
  const answer = await client.get('/bets/open-bets?per_page=100');
  const rows = ok(answer, 200).data.map(({ id, requesting_amount: amount }: Record<string, number>) => [id, amount]);
  return { asOf: answer.headers.get(AS_OF), what: 'offers', rows: rows.map(String).toSorted() };
}

const units = (micros: bigint): number => Number(micros) / 1e6;

function rowsFromLog(events: readonly LogEvent[], what: Shown['what']): string[] {
  const picture = pictureOf(factsFromLog(events));
  const decided = new Set(picture.wagers.filter(({ outcome }) => outcome !== 'undecided').map(({ id }) => id));
  const rows =
    what === 'users'
      ? picture.users.map(({ id, balance, exposure }) => [id, units(balance), units(exposure)])
      : picture.bets
          .filter(
            ({ offerStatus, isActive, wagerId }) => offerStatus === 'requesting' && isActive && !decided.has(wagerId),
          )
          .map(({ id, requestingAmount }) => [id, units(requestingAmount)]);
  return rows.map(String).toSorted();
}

type Act = () => Promise<Answer>;

/** Any of the things that happen to a ledger. A refusal is an answer as well. */
async function act(client: TestClient, random: SeededRandom): Promise<Answer> {
  const wager_reference = random.pick(WAGERS);
  const user = random.pick(USERS);
  const [amount, odds] = [1 + random.below(9), (11 + random.below(20)) / 10];
  const betId = 1 + random.below(60);
  const outcome = random.pick(OUTCOMES);
  const offered = {
    wager_reference,
    requesting_user_reference: user,
    requesting_odds: odds,
    requesting_amount: amount,
  };
  const accepted = { wager_reference, accepting_user_reference: user, maximum_odds: 9, accepting_amount: amount };
  const acts: readonly [Act, ...Act[]] = [
    () => client.post('/bets/make-offer', offered),
    () => client.post('/bets/make-offer', offered),
    () => client.post('/bets/accept-offer', accepted),
    () => client.post('/bets/accept-offer', accepted),
    () => client.post('/transactions/fund-user', { user_reference: user, amount }),
    () => client.post('/bets/cancel-offer', { ...cancelOf(user, wager_reference), cancel_amount: amount }),
    () => client.post('/bets/override-outcome', { bet_id: betId, override_outcome: outcome }),
    () => admin.client.post(`/admin/bets/${betId}/set-${random.pick(['inactive', 'active'])}`, {}),
    () => admin.client.post('/admin/bets/force-update-override-outcome', forcedOf(betId, outcome)),
    () => admin.client.post('/admin/wagers/force-update-outcome', { account_id: accountId, wager_reference, outcome }),
  ];
  return random.pick(acts)();
}

const cancelOf = (user: string, wager: string) => ({ requesting_user_reference: user, wager_references: [wager] });
const forcedOf = (betId: number, outcome: string) => ({
  account_id: accountId,
  bet_id: betId,
  override_outcome: outcome === 'undecided' ? null : outcome,
});

interface Answered {
  readonly status: number;
  readonly requestId: string | null;
  /** The last event that another process showed after the answer. */
  readonly head: string;
}

async function actAndLook(client: TestClient, other: TestClient, random: SeededRandom): Promise<Answered> {
  const { status, headers } = await act(client, random);
  const { head } = ok(await other.get('/events?limit=1'), 200);
  return { status, requestId: headers.get('x-request-id'), head };
}

describe('the event log, while many write and their commits take any time', () => {
  const shown: Shown[] = [];
  const answered: Answered[] = [];
  const followed: LogEvent[][] = [];
  let log: LogEvent[];

  beforeAll(async () => {
    const random = createSeededRandom(testSeed);
    const [first, second] = api.clients.map((client) => client.as(business.client.credential));
    if (first === undefined || second === undefined) throw new Error('two processes');
    let isOver = false;
    const following = Promise.all([
      follow(first, 'limit=7', () => isOver),
      follow(second, 'limit=50&wait_ms=300', () => isOver),
      follow(first, 'limit=2&wait_ms=300&types=offer.*,bet.*', () => isOver),
    ]);
    for (let round = 0; round < 12; round += 1) {
      const acts = Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? actAndLook(first, second, random) : actAndLook(second, first, random),
      );
      const client = random.pick([first, second]);
      shown.push(...(await Promise.all([usersShown(client), offersShown(client)])));
      answered.push(...(await Promise.all(acts)));
    }
    shown.push(await usersShown(first), await offersShown(second));
    isOver = true;
    followed.push(...(await following));
    log = await wholeLog();
  });

  it('feeds the second ledger, which has the balances, exposures and open offers that the API showed', () => {
    for (const { asOf, what, rows } of shown) {
      const index = log.findIndex(({ cursor }) => cursor === asOf);
      expect({ asOf, index: index >= 0 }).toEqual({ asOf, index: true });
      expect({ what, rows: rowsFromLog(log.slice(0, index + 1), what) }).toEqual({ what, rows });
    }
  });

  it('shows every reader the same events, from 1 on without a gap', () => {
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    const [polled = [], waited = [], filtered = []] = followed;
    expect(Math.min(polled.length, waited.length)).toBeGreaterThan(40);
    for (const events of [polled, waited]) expect(events).toEqual(log.slice(0, events.length));
    const ofBets = log.filter(({ type }) => /^(offer|bet)\./.test(type));
    expect(filtered).toEqual(ofBets.slice(0, filtered.length));
  });

  it('shows the events of a success from its answer on, and none of a refusal', () => {
    expect(new Set(answered.map(({ status }) => status < 400))).toEqual(new Set([true, false]));
    for (const { status, requestId, head } of answered) {
      const own = log.filter(({ actor, request_id: id }) => id === requestId && actor.kind !== 'worker');
      const last = log.find(({ cursor }) => cursor === head)?.seq ?? 0;
      const isFine = status < 400 ? own.every(({ seq }) => seq <= last) : own.length === 0;
      expect({ requestId, status, isFine }).toEqual({ requestId, status, isFine: true });
    }
    expect(
      log.filter(({ request_id: id }) => answered.some(({ requestId }) => id === requestId)).length,
    ).toBeGreaterThan(30);
  });
});
