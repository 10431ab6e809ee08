import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '#testing/client.js';
import { startTestWorker } from '#testing/parts.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });

type Whose = Pick<TestBusiness, 'client'>;
type Body = Answer['body'];
interface Loss {
  readonly outcome: 'win' | 'loss';
  readonly amount: number;
}

const read = async ({ client }: Whose, path: string): Promise<Body> => ok(await client.get(`/risk/${path}`), 200);

/** Answers are shared for some seconds: this one has all that was done before the call. */
async function asOfNow(whose: Whose, path: string): Promise<Body> {
  const [{ now }] = (await api.database.query('SELECT now()')) as [{ now: Date }];
  return waitFor(async () => {
    const answer = await read(whose, path);
    return new Date(answer.as_of) >= now && answer;
  });
}

const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;

interface ListedBet {
  readonly wager_reference: string;
  readonly wager: { readonly outcome: string };
  readonly requesting_user_reference: string;
  readonly accepting_user_reference: string | null;
  readonly effective_odds: number | null;
  readonly effective_amount: number | null;
  readonly requesting_amount: number;
  readonly override_outcome: string | null;
}

async function listed({ client }: Whose, list: 'history' | 'open-bets'): Promise<ListedBet[]> {
  const all: ListedBet[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, last_page } = ok(await client.get(`/bets/${list}?per_page=100&page=${page}`), 200);
    all.push(...data);
    last = last_page;
  }
  return all;
}

/** From the bets alone: each user's books at both results. */
function figuresOf(bets: readonly ListedBet[]) {
  const books = { win: new Map<string, number>(), loss: new Map<string, number>() };
  const add = (outcome: 'win' | 'loss', user: string | null, amount: number) =>
    books[outcome].set(user ?? '', rounded((books[outcome].get(user ?? '') ?? 0) + amount));
  for (const bet of bets) {
    const { effective_odds: odds, effective_amount: amount, override_outcome } = bet;
    if (odds === null || amount === null || (override_outcome ?? 'undecided') !== 'undecided') continue;
    const won = rounded(amount * (odds - 1));
    add('win', bet.requesting_user_reference, won);
    add('win', bet.accepting_user_reference, -won);
    add('loss', bet.requesting_user_reference, -amount);
    add('loss', bet.accepting_user_reference, amount);
  }
  const lost = (outcome: 'win' | 'loss') =>
    rounded([...books[outcome].values()].reduce((sum, amount) => sum + Math.max(0, -amount), 0));
  const largest = Math.max(0, ...[...books.win.values(), ...books.loss.values()].map((amount) => -amount));
  const worst: Loss =
    lost('win') >= lost('loss') ? { outcome: 'win', amount: lost('win') } : { outcome: 'loss', amount: lost('loss') };
  return { worst, largest: largest === 0 ? null : largest };
}

async function expectBoard(business: TestBusiness): Promise<void> {
  const board = await asOfNow(business, 'wagers');
  const [matched, open] = [await listed(business, 'history'), await listed(business, 'open-bets')];
  const { data: wagers } = ok(await business.client.get('/wagers?outcome=undecided&per_page=100'), 200);
  const of = (reference: string) => (bet: ListedBet) => bet.wager_reference === reference;
  const expected = wagers.map(({ reference }: { reference: string }) => {
    const offers = open.filter(of(reference));
    const bets = matched.filter(of(reference)).filter(({ accepting_user_reference: user }) => user !== null);
    const { worst, largest } = figuresOf(bets);
    return {
      reference,
      matched: rounded(bets.reduce((sum, { effective_amount: amount }) => sum + (amount ?? 0), 0)),
      today: rounded(bets.reduce((sum, { effective_amount: amount }) => sum + (amount ?? 0), 0)),
      open: rounded(offers.reduce((sum, { requesting_amount: amount }) => sum + amount, 0)),
      offers: offers.length,
      worst,
      largest,
    };
  });
  const byReference = (one: { reference: string }, other: { reference: string }) =>
    one.reference < other.reference ? -1 : 1;
  const shown = board.data.map((wager: Body) => ({
    reference: wager.reference,
    matched: wager.matched_amount,
    today: rounded(wager.matched_by_hour.reduce((sum: number, amount: number) => sum + amount, 0)),
    open: wager.open_amount,
    offers: wager.open_offers,
    worst: wager.worst_case,
    largest: wager.largest_loss?.amount ?? null,
  }));
  expect(shown.sort(byReference)).toEqual(expected.sort(byReference));
  const sumOf = (field: 'matched' | 'open' | 'offers') =>
    rounded(expected.reduce((sum: number, wager: Record<typeof field, number>) => sum + wager[field], 0));
  expect(board).toMatchObject({
    is_complete: true,
    totals: {
      wagers: wagers.length,
      matched_amount: sumOf('matched'),
      open_amount: sumOf('open'),
      open_offers: sumOf('offers'),
      worst_case: rounded(expected.reduce((sum: number, { worst }: { worst: Loss }) => sum + worst.amount, 0)),
    },
  });
  await expectBooks(board);
}

/** The books that the ledger keeps of each user say the same, and so does the user with the largest loss. */
async function expectBooks({ data }: Body): Promise<void> {
  for (const { id, worst_case: worst, largest_loss: largest } of data) {
    const books = await api.database.query(
      `SELECT coalesce(sum(greatest(0, -win)), 0)::float8 / 1e6 AS win, coalesce(sum(greatest(0, -loss)), 0)::float8 / 1e6 AS loss
         FROM positions WHERE wager_id = $1`,
      [id],
    );
    expect(worst.amount).toBe(Math.max(Number(books[0]?.win), Number(books[0]?.loss)));
    if (largest === null) continue;
    const [user] = await api.database.query(
      `SELECT user_id::int, greatest(-win, -loss)::float8 / 1e6 AS lost FROM positions WHERE wager_id = $1
        ORDER BY greatest(-win, -loss) DESC, user_id LIMIT 1`,
      [id],
    );
    expect([largest.user_id, largest.amount]).toEqual([user?.user_id, user?.lost]);
  }
}

describe('the wagers at risk', () => {
  it('have the figures that follow from the bets, also after these change', async () => {
    const chance = createSeededRandom(testSeed);
    const business = await openTestBusiness(api.client);
    const users = ['ann', 'bob', 'cat', 'dan'] as const;
    const wagers = ['w1', 'w2', 'w3', 'w4', 'w5'] as const;
    for (const user of users) await business.user(user, 100_000);
    // Chance may make no offer on the wager that is decided below.
    ok(await business.make('ann', 1, 2, { wager_reference: 'w5' }));
    const amount = () => (1 + chance.below(5_000)) / 100;
    const tries: [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
      () =>
        business.make(chance.pick(users), amount(), (101 + chance.below(400)) / 100, {
          wager_reference: chance.pick(wagers),
        }),
      () => business.accept(chance.pick(users), amount(), { wager_reference: chance.pick(wagers) }),
      () => business.accept(chance.pick(users), amount(), { wager_reference: chance.pick(wagers) }),
      () => business.cancel(chance.pick(users), { wager_references: [chance.pick(wagers)], cancel_amount: 1 }),
    ];
    const play = async (steps: number) => {
      for (let step = 0; step < steps; step += 1) await chance.pick(tries)();
    };
    await play(60);
    await expectBoard(business);
    await play(20);
    const accepted = (await listed(business, 'history')).filter(({ effective_odds: odds }) => odds !== null);
    const overridden = chance.pick(accepted as [ListedBet & { readonly id: number }]);
    ok(await business.override(overridden.id, 'void'), 200);
    ok(await business.decide('win', 'w5'));
    await expectBoard(business);
    // The worker moves the bets back, and nothing of that changes the wager but its end.
    ok(await business.client.post('/wagers/w5/correct', { outcome: 'undecided', reason: 'It was another match' }), 200);
    const worker = await startTestWorker(api.environment);
    await waitFor(async () => ok(await business.client.get('/wagers?settling=true'), 200).total === 0);
    await expectBoard(business);
    await worker.close();
  });

  it('are sorted by what they are asked for, and those without it stand last', async () => {
    const business = await openTestBusiness(api.client, { ann: 1_000, bob: 1_000 });
    const matches: [string, number, number][] = [
      ['low', 10, 1.5],
      ['high', 20, 6],
      ['middle', 40, 2],
    ];
    for (const [wager_reference, amount, odds] of matches) {
      const { bet_id } = ok(await business.make('ann', amount, odds, { wager_reference })).data;
      ok(await business.accept('bob', amount, { wager_reference, bet_id }));
    }
    ok(await business.make('ann', 7, 2, { wager_reference: 'only-offered' }));
    ok(await business.client.put('/wagers/low', { closes_at: '2099-01-15T18:00:00Z', event: 'final' }), 200);
    ok(await business.client.put('/wagers/middle', { closes_at: '2099-01-14T18:00:00Z', event: 'other' }), 200);
    await asOfNow(business, 'wagers');
    const orderOf = async (query: string): Promise<string[]> =>
      (await read(business, `wagers?${query}`)).data.map(({ reference }: { reference: string }) => reference);
    expect(await orderOf('')).toEqual(['high', 'middle', 'low', 'only-offered']);
    expect(await orderOf('sort_direction=asc')).toEqual(['only-offered', 'low', 'middle', 'high']);
    expect(await orderOf('sort_by=matched_amount')).toEqual(['middle', 'high', 'low', 'only-offered']);
    expect((await orderOf('sort_by=open_amount'))[0]).toBe('only-offered');
    expect(await orderOf('sort_by=last_odds')).toEqual(['high', 'middle', 'low', 'only-offered']);
    expect(await orderOf('sort_by=created_at')).toEqual(['only-offered', 'middle', 'high', 'low']);
    expect(await orderOf('sort_by=closes_at&sort_direction=asc')).toEqual(['middle', 'low', 'high', 'only-offered']);
    expect(await orderOf('sort_by=largest_loss&limit=1')).toEqual(['high']);
    expect(await orderOf('event=final')).toEqual(['low']);
    const [high] = (await read(business, 'wagers?limit=1')).data;
    expect(high).toMatchObject({
      worst_case: { outcome: 'win', amount: 100 },
      largest_loss: { user_reference: 'bob', user_name: 'bob', outcome: 'win', amount: 100 },
    });
    expect((await read(business, 'wagers?event=final,nothing')).totals).toEqual({
      wagers: 1,
      matched_amount: 10,
      open_amount: 0,
      open_offers: 0,
      worst_case: 10,
    });
  });

  it('have what was matched in each of the last hours, and no offer whose time has come', async () => {
    const business = await openTestBusiness(api.client, { ann: 1_000, bob: 1_000 });
    const { bet_id } = ok(await business.make('ann', 20)).data;
    ok(await business.accept('bob', 5, { bet_id }));
    ok(await business.make('bob', 7));
    const { id } = ok(await business.client.get('/auth/account/me'), 200).data;
    // The sums of an earlier hour, and of one that is over for a day.
    await api.database.query('INSERT INTO event_indexes (account_id) VALUES ($1)', [id]);
    await api.database.query(
      `INSERT INTO hourly_sums (account_id, subject, hour, matched_bets, matched_amount, settled_bets, settled_amount, gross_exposure)
       SELECT account_id, id * 4 + 1, date_trunc('hour', now(), 'UTC') - ago * interval '1 hour', 1, ago * 1000000, 0, 0, 0
         FROM wagers, unnest(ARRAY[3, 24]) AS ago WHERE account_id = $1`,
      [id],
    );
    await api.database.query(
      `UPDATE bets SET expires_at = now() WHERE account_id = $1 AND accepting_user_id IS NULL AND requesting_amount = 7000000`,
      [id],
    );
    const { data } = await asOfNow(business, 'wagers');
    const hours: number[] = data[0].matched_by_hour;
    expect(hours).toHaveLength(24);
    expect(hours.filter((amount) => amount !== 0)).toEqual([3, 5]);
    expect(hours.lastIndexOf(5) - hours.indexOf(3)).toBeLessThanOrEqual(3);
    expect([data[0].open_amount, data[0].open_offers]).toEqual([15, 1]);
  });

  it('are no more than a bound, and the answer says so', async () => {
    const { id, token } = await createQuickAccount(api.database);
    const many = { client: api.client.as({ token }) };
    await api.database.query(
      `INSERT INTO wagers (account_id, reference, matched_amount) SELECT $1, 'w' || i, i FROM generate_series(1, 2001) i`,
      [id],
    );
    const { data, totals, is_complete: isComplete } = await read(many, 'wagers?sort_by=matched_amount&limit=2000');
    expect([data.length, totals.wagers, isComplete]).toEqual([2000, 2000, false]);
    expect([data[0].reference, data.at(-1).reference]).toEqual(['w2001', 'w2']);
    await api.database.query(`UPDATE wagers SET outcome = 'win' WHERE account_id = $1 AND reference = 'w1'`, [id]);
    expect((await asOfNow(many, 'wagers')).is_complete).toBe(true);
    await api.database.query(`UPDATE wagers SET matched_bets = 250001 WHERE account_id = $1 AND reference = 'w2'`, [
      id,
    ]);
    const { data: seen, ...rest } = await asOfNow(many, 'wagers?sort_by=matched_amount&sort_direction=asc');
    expect([seen[0].worst_case, seen[1].worst_case?.amount, rest.is_complete]).toEqual([null, 0, false]);
  });
});

describe('the users at risk', () => {
  it('have their exposure, and the net of their bets today', async () => {
    const business = await openTestBusiness(api.client, { ann: 1_000, bob: 1_000, cat: 1_000, dan: 1_000 });
    await business.match('ann', 'bob', 10, 3);
    await business.match('cat', 'bob', 5, 3);
    ok(await business.decide('win'));
    const later = { wager_reference: 'later' };
    ok(await business.make('cat', 50, 2, later));
    ok(await business.accept('ann', 20, later));
    // Of yesterday: it counts nowhere.
    const { bet_id } = ok(await business.make('ann', 4, 2, { wager_reference: 'past' })).data;
    ok(await business.accept('dan', 4, { wager_reference: 'past', bet_id }));
    ok(await business.decide('win', 'past'));
    await api.database.query(
      `ALTER TABLE transactions DISABLE TRIGGER USER;
       UPDATE transactions SET created_at = created_at - interval '1 day'
        WHERE bet_trail_id IN (SELECT id FROM bet_trails WHERE bet_id = ${bet_id});
       ALTER TABLE transactions ENABLE TRIGGER USER`,
    );
    await asOfNow(business, 'users');
    const seen = async (query: string) =>
      (await read(business, `users?${query}`)).data.map(
        ({ user_reference: user, exposure, profit_today: profit }: Body) => [user, exposure, profit],
      );
    expect(await seen('')).toEqual([
      ['cat', 50, 10],
      ['ann', 20, 20],
    ]);
    expect(await seen('sort_by=profit_today')).toEqual([
      ['ann', 20, 20],
      ['cat', 50, 10],
    ]);
    expect(await seen('sort_by=loss_today&limit=5')).toEqual([['bob', 0, -30]]);
    const { totals, profit_from: from, data } = await read(business, 'users');
    expect(totals).toEqual({ exposed_users: 2, exposure: 70, won_today: 30, lost_today: 30 });
    expect(from).toBe(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`);
    expect(data[0]).toEqual({
      user_id: expect.any(Number),
      user_reference: 'cat',
      user_name: 'cat',
      balance: 1010,
      exposure: 50,
      available: 960,
      profit_today: 10,
    });
  });
});

describe('an answer', () => {
  let business: TestBusiness;
  beforeAll(async () => {
    business = await openTestBusiness(api.client, { ann: 1_000, bob: 1_000 });
    await business.match('ann', 'bob', 10);
  });

  it('is shared by all who ask within three seconds, and names how far it goes', async () => {
    for (const path of ['wagers', 'users']) {
      const first = await asOfNow(business, path);
      const { headers } = await business.client.get(`/risk/${path}`);
      const answers = await Promise.all(Array.from({ length: 20 }, () => read(business, path)));
      expect(new Set(answers.map(({ as_of }) => as_of)).size).toBe(1);
      expect(new Date(answers[0]?.as_of).getTime() - new Date(first.as_of).getTime()).toBeLessThan(3_000);
      const events = ok(await business.client.get(`/events?after=${headers.get('ledger-as-of')}`), 200);
      expect(events.data).toEqual([]);
    }
  });

  it('has nothing of another account, which an admin may name', async () => {
    const stranger = await openTestBusiness(api.client);
    const account = business.account.id;
    const admin = await registerAdmin(api.client, api.database);
    for (const path of ['wagers', 'users']) {
      for (const query of ['', `?account_id=${account}`]) {
        expect((await read(stranger, path + query)).data).toEqual([]);
      }
      expect((await read(admin, path)).data).toEqual([]);
      expect((await read(admin, `${path}?account_id=${account}`)).data.length).toBeGreaterThan(0);
    }
  });

  it.each([
    'wagers?sort_by=x',
    'wagers?sort_direction=x',
    'wagers?limit=0',
    'wagers?limit=2001',
    'wagers?account_id=x',
    'wagers?page=1',
    'users?sort_by=worst_case',
    'users?limit=51',
    'users?sort_direction=asc',
  ])('is refused to %s', async (path) => {
    expect((await business.client.get(`/risk/${path}`)).status).toBe(400);
  });
});
