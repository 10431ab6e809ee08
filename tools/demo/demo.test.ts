import { beforeAll, describe, expect, it } from '@jest/globals';
import { appointAdmin } from '#accounts/admin-appointment.js';
import { type Database, openDatabase } from '#platform/database/database.js';
import type { Running } from '#platform/process/run-process.js';
import { expectBooksToBalance } from '#testing/books.js';
import { logIn } from '#testing/client.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { type Books, checkLog, checkStatement, readBooks } from './books.js';
import { createDemoClient } from './demo-client.js';
import { type Evening, planEvening } from './evening.js';
import { openMarket } from './open-market.js';
import { type Played, playEvening } from './play.js';
import { createProgress } from './progress.js';
import { logTextOf, statementTextOf, tableOf } from './report.js';

const OFFERS = 120;
/** Low, so that the worker has to settle bets. */
const SETTLEMENT_BOUND = '5';

const environment = withTestEnvironment(async () => {
  await played?.log.stop();
  await database?.disconnect();
  await worker?.close();
  await api?.close();
});
let api: TestPart;
let worker: Running;
let database: Database;
let evening: Evening;
let played: Played;
let books: Books;
let said = '';

beforeAll(async () => {
  api = await startTestApi(environment, { SETTLEMENT_BOUND });
  worker = await startTestWorker(environment);
  database = openDatabase({ url: environment.database.url, connections: 2, onConnectionError: () => undefined });
  evening = planEvening({ seed: 7, offers: OFFERS });
  played = await play();
  books = await readBooks(played.businessApi, evening.bettors);
});

const connection = () => ({ apiUrl: api.client.baseUrl, stopping: new AbortController().signal });

function play(): Promise<Played> {
  return playEvening({
    evening,
    ...connection(),
    progress: createProgress({
      write(text) {
        said += text;
      },
    }),
    async makeAdmin(email) {
      expect(await appointAdmin(database, { email, isVouchedFor: true })).toBe('appointed');
    },
  });
}

const accountOf = async (email: string): Promise<number> =>
  Number((await environment.database.query('SELECT id::int FROM accounts WHERE email = $1', [email]))[0]?.id);

describe('an evening of betting', () => {
  it('leaves books that balance', async () => {
    await expectBooksToBalance(environment.database);
    expect(books.faults).toEqual([]);
  });

  it('matches exactly the planned amount', async () => {
    expect(played.matchedAmount).toBe(evening.matchedAmount);
    const [counts] = await environment.database.query(
      `SELECT sum(effective_amount)::float8 / 1e6 AS matched,
              count(*) FILTER (WHERE offer_status IN ('requesting', 'accepted') AND settled_outcome IS NULL)::int AS open
         FROM bets WHERE account_id = $1`,
      [await accountOf(played.business.email)],
    );
    expect(counts).toEqual({ matched: evening.matchedAmount, open: 0 });
  });

  it('shows the gain that the bets of each bettor add up to', async () => {
    const rows = await environment.database.query(
      `WITH results AS (
         SELECT b.*, coalesce(b.override_outcome, w.outcome) AS outcome FROM bets b
           JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
          WHERE b.account_id = $1 AND b.accepting_user_id IS NOT NULL),
       gains AS (
         SELECT requesting_user_id, accepting_user_id, effective_amount * CASE outcome
             WHEN 'win' THEN (effective_odds - 1000000) / 1e6 WHEN 'half-win' THEN (effective_odds - 1000000) / 2e6
             WHEN 'loss' THEN -1 WHEN 'half-loss' THEN -0.5 ELSE 0 END AS gain FROM results)
       SELECT u.name, coalesce((SELECT sum(gain) FROM gains WHERE requesting_user_id = u.id), 0)::bigint
                    - coalesce((SELECT sum(gain) FROM gains WHERE accepting_user_id = u.id), 0)::bigint AS won
         FROM users u WHERE u.account_id = $1`,
      [await accountOf(played.business.email)],
    );
    const expected = new Map(rows.map(({ name, won }) => [name, BigInt(won as string)]));
    expect(new Map(books.lines.map(({ name, won }) => [name, won]))).toEqual(expected);
    expect(books.lines.filter(({ won }) => won !== 0n).length).toBeGreaterThan(10);
  });

  it('has a correction by the admin, an override, and winners that were paid out', async () => {
    const rows = await environment.database.query(
      `SELECT reference, outcome FROM wagers WHERE account_id = $1 ORDER BY reference`,
      [await accountOf(played.business.email)],
    );
    const expected = evening.wagers.map(({ reference, outcome, corrected = outcome }) => ({
      reference,
      outcome: corrected,
    }));
    expect(rows).toEqual(expected.sort((one, other) => (one.reference < other.reference ? -1 : 1)));
    const trails = await environment.database.query(
      `SELECT DISTINCT description FROM bet_trails WHERE description LIKE $1`,
      [`%${played.admin.email}%`],
    );
    expect(trails.length).toBeGreaterThan(0);
    const [overridden] = await environment.database.query(
      'SELECT count(*)::int AS count FROM bets WHERE override_outcome IS NOT NULL',
    );
    expect(overridden).toEqual({ count: 1 });
    expect(books.lines.filter(({ paidOut }) => paidOut > 0n)).toHaveLength(5);
  });

  it('prints a line for each phase when the output is no terminal', () => {
    expect(said).toMatch(/50 bettors have paid in [\d,]+\n/);
    expect(said).toMatch(/ corrected a result: Northbridge Rovers v Lakeside United was 1–1, not 2–1/);
    expect(said).not.toContain('\r');
  });

  it('ends with a table whose sums are right', () => {
    const { lines, total } = books;
    expect(lines).toHaveLength(50);
    expect(total.won).toBe(0n);
    expect(total.paidIn).toBe(BigInt(evening.bettors.reduce((sum, { funds }) => sum + funds, 0)) * 1_000_000n);
    expect(total.paidIn - total.paidOut).toBe(total.balance);
    const text = tableOf(books);
    expect(text).toMatch(/^ {2}All 50 +[\d,.]+ +[\d,.]+ +0\.00 +[\d,.]+$/m);
    expect(text).toMatch(/Money: [\d,.]+ in = [\d,.]+ out \+ [\d,.]+ still there$/);
  });

  it('has a statement of each bettor that says what the books say', async () => {
    const texts: string[] = [];
    for (const line of books.lines.slice(0, 3)) {
      const { reference = '' } = evening.bettors.find(({ name }) => name === line.name) ?? {};
      const check = await checkStatement(played.businessApi, reference, line);
      expect(check).toMatchObject({ name: line.name, closingBalance: line.balance, faults: [] });
      texts.push(statementTextOf(check));
      const wrong = await checkStatement(played.businessApi, reference, { ...line, paidOut: line.balance });
      expect(statementTextOf(wrong)).toBe(`  DIFFERS: ${line.name}: the statement does not say what the books say`);
    }
    expect(texts[0]).toMatch(/^ {2}Statement of [\w ]+: \d+ lines end with [\d,.]+, as the books do$/);
  });

  it('has an event log that alone says what the books say', async () => {
    const check = await checkLog(played.log, books);
    expect(logTextOf(check)).toMatch(/^ {2}Event log: \d{3,} events followed live, numbered without a gap; /);
    const lines = books.lines.map((line, index) => (index === 0 ? { ...line, won: line.won + 1n } : line));
    const wrong = await checkLog(played.log, { ...books, lines: lines as typeof books.lines });
    expect(logTextOf(wrong)).toBe(`  DIFFERS: ${lines[0]?.name}: the event log does not say what the books say`);
  });

  it('is the same evening again with the same seed', async () => {
    const again = await play();
    await again.log.stop();
    expect(again.business.email).not.toBe(played.business.email);
    expect(tableOf(await readBooks(again.businessApi, evening.bettors))).toBe(tableOf(books));
    await expectBooksToBalance(environment.database);
  });
});

describe('the books', () => {
  it('name the bettor whose balance differs from the transactions, and the sum that is wrong', async () => {
    const accountId = await accountOf(played.business.email);
    const changed = (by: number) =>
      environment.database.query(
        `UPDATE balances SET balance = balance + $2 WHERE account_id = $1 AND user_id =
           (SELECT id FROM users WHERE account_id = $1 AND reference = 'ada-dale')`,
        [accountId, by],
      );
    await changed(1);
    const wrong = await readBooks(played.businessApi, evening.bettors);
    await changed(-1);
    expect(wrong.faults).toEqual([
      'Ada Dale: the transactions do not sum to the balance',
      'money in is not money out and money left',
    ]);
    expect(tableOf(wrong)).toContain('DIFFERS: Ada Dale');
  });

  it('name the bettor who has not paid in what was planned', async () => {
    const bettors = evening.bettors.map((bettor, index) => (index === 0 ? { ...bettor, funds: 1 } : bettor));
    const { faults } = await readBooks(played.businessApi, bettors);
    expect(faults).toEqual(['Ada Ashdown: has not paid in what was planned']);
  });

  it('are not read when a call fails', async () => {
    const stranger = createDemoClient(connection());
    await expect(readBooks(stranger, evening.bettors)).rejects.toThrow('/transactions');
    await expect(
      played.businessApi.post('/bets/update-wager-outcome', { body: { reference: 'no-such-wager', outcome: 'win' } }),
    ).rejects.toThrow(/update-wager-outcome .*404/);
  });
});

describe('the market that stays open', () => {
  it('has open offers and matched ones, and books that balance while bettors go on', async () => {
    const market = await openMarket(played.businessApi, 7);
    const read = async () => {
      const client = api.client.as({ token: await logIn(api.client, played.business) });
      const { body } = await client.get('/wagers/saturday-final-home-win/book?depth=100');
      return body;
    };
    const before = await read();
    expect([before.open_offers > 5, before.matched_bets > 5]).toEqual([true, true]);
    const stopping = new AbortController();
    const trading = market.trade(stopping.signal);
    await waitFor(async () => JSON.stringify((await read()).levels) !== JSON.stringify(before.levels));
    stopping.abort();
    await trading;
    await expectBooksToBalance(environment.database);
  });
});
