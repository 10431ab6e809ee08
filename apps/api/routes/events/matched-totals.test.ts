import { beforeAll, describe, expect, it } from '@jest/globals';
import { ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let business: TestBusiness;
let accountId: number;

interface MatchedEvent {
  readonly seq: number;
  readonly cursor: string;
  readonly at: string;
  readonly type: string;
  readonly bet?: { readonly effective_amount: number };
}
let log: readonly MatchedEvent[];

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
  await business.user('ann');
  await business.user('bob');
  for (const amount of [1, 2.5, 4]) await business.match('ann', 'bob', amount);
  ok(await business.make('ann', 8));
  ok(await business.accept('bob', 3.25));
  ok(await business.decide('win'));
  log = ok(await business.client.get('/events?limit=1000'), 200).data;
});

const totals = async (query: Record<string, string> = {}, { client } = business) =>
  ok(await client.get(`/events/matched-totals?${new URLSearchParams(query)}`), 200);

/** Of the events that the list shows. */
function totalsOf(events: readonly MatchedEvent[]) {
  const amounts = events.flatMap(({ type, bet }) => (type === 'offer.matched' && bet ? [bet.effective_amount] : []));
  return { matched_bets: amounts.length, matched_amount: amounts.reduce((sum, amount) => sum + amount, 0) };
}

describe('the totals of what was matched', () => {
  it('are those of the whole log, and of what came after each cursor', async () => {
    expect(totalsOf(log)).toEqual({ matched_bets: 4, matched_amount: 10.75 });
    const head = log.at(-1)?.cursor;
    const end = { next: head, head, next_seq: log.length, head_seq: log.length, has_more: false };
    expect(await totals()).toEqual({ ...totalsOf(log), ...end });
    for (const { cursor, seq } of log) {
      expect(await totals({ after: cursor })).toEqual({ ...totalsOf(log.slice(seq)), ...end });
    }
  });

  it('are those from each moment on', async () => {
    // The log has microseconds, a query milliseconds.
    const moments = log.flatMap(({ at }) => [Date.parse(at), Date.parse(at) + 1]);
    for (const moment of [0, ...moments, Date.parse('2099-01-01')]) {
      const since = log.filter(({ at }) => at >= new Date(moment).toISOString().replace('Z', '000Z'));
      expect(await totals({ created_from: String(moment) })).toMatchObject({
        ...totalsOf(since),
        next_seq: log.length,
        has_more: false,
      });
    }
  });

  it('of a long log come in parts, which add up', async () => {
    const long = await openTestBusiness(api.client);
    for (const name of ['ann', 'bob']) await long.user(name);
    await long.match('ann', 'bob', 1.5);
    const id = ok(await long.client.get('/auth/account/me'), 200).data.id;
    // Three commits with 60,000 events each, every third of which is the match.
    await api.database.query(
      `WITH head AS (SELECT last_seq, last_at FROM event_heads WHERE account_id = $1),
            matched AS (SELECT max(id) AS trail FROM bet_trails WHERE account_id = $1),
            added AS (
              INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
              SELECT $1, last_seq + (i - 1) * 60000 + 1, last_seq + i * 60000, last_at + i * interval '1 hour',
                     (SELECT array_agg(CASE WHEN n % 3 = 0 THEN 5 ELSE 4 END::smallint ORDER BY n) FROM generate_series(1, 60000) n),
                     array_fill(trail, ARRAY[60000]), '60000 command -'
                FROM head, matched, generate_series(1, 3) i
              RETURNING last_seq, at, refs[1] AS ref)
       UPDATE event_heads SET last_seq = a.last_seq, last_at = a.at, last_kind = 5, last_ref = a.ref
         FROM (SELECT * FROM added ORDER BY last_seq DESC LIMIT 1) a WHERE account_id = $1`,
      [id],
    );
    const first = await totals({}, long);
    expect(first).toMatchObject({ next_seq: 100_000, has_more: true });
    const rest = await totals({ after: first.next }, long);
    expect(rest).toMatchObject({ next: rest.head, has_more: false });
    expect(first.matched_bets + rest.matched_bets).toBe(60_001);
    expect(first.matched_amount + rest.matched_amount).toBe(90_001.5);
    const [last] = ok(await long.client.get('/events?sort_direction=desc&limit=1'), 200).data;
    const lastHours = Date.parse(last.at) - 1_800_000;
    expect(await totals({ created_from: String(lastHours) }, long)).toMatchObject({ matched_bets: 20_000 });
  });

  it('are those of the own account, and for admins of any', async () => {
    const other = await openTestBusiness(api.client);
    expect(await totals({}, other)).toMatchObject({ matched_bets: 0, matched_amount: 0, head_seq: 0, has_more: false });
    const named = { account_id: String(accountId) };
    expect(await totals(named, other)).toMatchObject({ matched_bets: 0, head_seq: 0 });
    const admin = await registerAdmin(api.client, api.database);
    const { body } = await admin.client.get(`/events/matched-totals?account_id=${accountId}`);
    expect(body).toEqual(await totals());
  });

  it.each([
    ['after=abc', 'after must be a cursor'],
    ['created_from=yesterday', 'created_from must be'],
    ['after=x&created_from=2026-01-15', 'created_from must not be given together with after'],
  ])('refuse %s', async (query, fault) => {
    const { status, body } = await business.client.get(`/events/matched-totals?${query}`);
    expect([status, body.message]).toEqual([400, [expect.stringContaining(fault)]]);
  });

  it('refuse a cursor of a history that was undone', async () => {
    const undone = Buffer.from(log[3]?.cursor ?? '', 'base64url');
    undone.writeUInt8(undone.readUInt8(20) ^ 1, 20);
    const { status } = await business.client.get(`/events/matched-totals?after=${undone.toString('base64url')}`);
    expect(status).toBe(409);
  });
});
