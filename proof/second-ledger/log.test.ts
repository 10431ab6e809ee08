import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { factsFromLog, type LogEvent } from './facts-from-log.js';
import { pictureOf } from './picture.js';

// The second ledger, fed by nothing but the event log, against what the API shows at the same moment.

const USERS = ['ann', 'bob', 'cat', 'dan'] as const;
const WAGERS = ['one', 'two', 'three'] as const;
const OUTCOMES = ['win', 'loss', 'push', 'half-win', 'half-loss', 'void', 'undecided'] as const;
const AS_OF = 'ledger-as-of';

const api = withTestApi({ processes: 2, hasWorker: true, settings: { SETTLEMENT_BOUND: '2' } });
let business: TestBusiness;
let admin: Admin;
let accountId: number;

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, api.database);
  accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
  for (const name of USERS) await business.user(name);
});

async function wholeLog(): Promise<LogEvent[]> {
  const all: LogEvent[] = [];
  for (let after = ''; ; ) {
    const page = ok(await business.client.get(`/events?limit=1000${after}`), 200);
    all.push(...page.data);
    if (!page.has_more) return all;
    after = `&after=${page.next}`;
  }
}

interface Shown {
  /** The cursor of the answer's moment. */
  readonly asOf: string | null;
  readonly what: 'users' | 'offers';
  readonly rows: readonly string[];
}

async function usersShown(client: TestBusiness['client']): Promise<Shown> {
  const answer = await client.get('/account/user?per_page=100');
  const { items } = ok(answer, 200).data;
  const rows = items.map(({ id, balance, exposure }: Record<string, number>) => [id, balance, exposure]);
  return { asOf: answer.headers.get(AS_OF), what: 'users', rows: rows.map(String).toSorted() };
}

async function offersShown(client: TestBusiness['client']): Promise<Shown> {
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

type Act = () => Promise<unknown>;

/** Any of the things that happen to a ledger. A refusal is an answer as well. */
async function act(client: TestBusiness['client'], random: SeededRandom): Promise<unknown> {
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
  ...{ account_id: accountId, bet_id: betId, override_outcome: outcome === 'undecided' ? null : outcome },
});

describe('the second ledger, fed by the event log alone', () => {
  it('ends with the balances, exposures and open offers that the API shows, at any moment', async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const random = createSeededRandom(seed);
    const shown: Shown[] = [];
    const [first, second] = api.clients.map((client) => client.as(business.client.credential));
    if (first === undefined || second === undefined) throw new Error('two processes');
    const clients = [first, second] as const;
    for (let round = 0; round < 12; round += 1) {
      const client = random.pick(clients);
      const acts = Array.from({ length: 12 }, () => act(random.pick(clients), random));
      shown.push(...(await Promise.all([usersShown(client), offersShown(client)])));
      await Promise.all(acts);
    }
    await waitFor(async () => (await wholeLog()).at(-1)?.type !== undefined);
    shown.push(await usersShown(business.client), await offersShown(business.client));
    const log = await wholeLog();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    for (const { asOf, what, rows } of shown) {
      const place = log.findIndex(({ cursor }) => cursor === asOf);
      expect({ seed, asOf, place: place >= 0 }).toEqual({ seed, asOf, place: true });
      expect({ seed, what, rows: rowsFromLog(log.slice(0, place + 1), what) }).toEqual({ seed, what, rows });
    }
  });
});
