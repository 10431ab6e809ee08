import { describe, expect, it, jest } from '@jest/globals';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

interface Statement {
  readonly lines: readonly { readonly id: number }[];
  readonly next: string | null;
}

const api = withTestApi();
const business = withBusiness(api, { ann: 1000, bob: 1000 });

/** The midnight so many days from now: a statement is of 400 days at most. */
const midnight = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;

const pathOf = (reference: string, query: Record<string, unknown>): string =>
  `/account/user/${encodeURIComponent(reference)}/statement?${new URLSearchParams(query as Record<string, string>)}`;

const get = (reference: string, query: Record<string, unknown> = {}, client = business.client) =>
  client.get(pathOf(reference, query));

const statementOf = async (reference: string, query: Record<string, unknown> = {}): Promise<Statement> =>
  ok(await get(reference, query), 200) as unknown as Statement;

describe('a statement', () => {
  it('shows each movement with the balance after it, its wager and its bet', async () => {
    const bet = await business.match('ann', 'bob', 100, 2.5);
    await business.decide('win');
    ok(await business.client.post('/transactions/withdraw', { user_reference: 'ann', amount: 50, description: 'out' }));
    expect(await statementOf('ann')).toMatchObject({
      user: 'ann',
      opening_balance: 0,
      closing_balance: 1100,
      credits: 1150,
      debits: 50,
      next: null,
      lines: [
        { type: 'credit', source: 'funding', amount: 1000, signed_amount: 1000, balance: 1000, wager_reference: null },
        { source: 'bet', wager_reference: 'match', bet_id: bet, type: 'credit', signed_amount: 150, balance: 1150 },
        { type: 'debit', source: 'withdrawal', signed_amount: -50, balance: 1100, bet_id: null, description: 'out' },
      ],
    });
  });

  it('says of which period it is', async () => {
    const period = { from: '2026-01-01', to: '2026-01-02' };
    expect(await statementOf('bob', period)).toMatchObject({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
    });
  });

  it('is an iterator of the client, page by page', async () => {
    await business.user('cat', 0);
    for (let count = 0; count < 7; count += 1) {
      ok(await business.client.post('/transactions/fund-user', { user_reference: 'cat', amount: 1 }));
    }
    const lines: { readonly id: number }[] = [];
    for await (const line of business.ledger.users.statement({ reference: 'cat', limit: 3 })) lines.push(line);
    expect(lines).toEqual((await statementOf('cat')).lines);
    expect(lines).toHaveLength(7);
  });
});

describe('a statement as CSV', () => {
  const csvOf = (reference: string, query: object = {}) =>
    fetch(`${business.client.baseUrl}${pathOf(reference, { format: 'csv', ...query })}`, {
      headers: { Authorization: `Bearer ${business.account.token}` },
    });

  it('begins and ends with the balances, and disarms formulas', async () => {
    await business.user('=cmd', 0);
    for (const description of ['=HYPERLINK("http://x","y")', '+1', '-1', '@SUM(1)', 'plain, with a comma']) {
      ok(await business.client.post('/transactions/fund-user', { user_reference: '=cmd', amount: 1.5, description }));
    }
    ok(await business.client.post('/transactions/withdraw', { user_reference: '=cmd', amount: 7 }));
    const [from, to] = [midnight(-300), midnight(50)];
    const answer = await csvOf('=cmd', { from, to });
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const text = await answer.text();
    const lines = text.split('\r\n');
    expect(lines[0]).toBe(
      'id,at,reference,type,source,amount,signed_amount,balance,wager_reference,bet_id,description,own_reference',
    );
    expect(lines[1]).toBe(`,${from},,opening,,,,0,,,Opening balance,`);
    expect(lines[2]).toMatch(/,1\.5,1\.5,1\.5,,,"'=HYPERLINK\(""http:\/\/x"",""y""\)",$/);
    expect(lines.slice(3, 6).map((line) => line.split(',').at(-2))).toEqual(["'+1", "'-1", "'@SUM(1)"]);
    expect(lines[6]).toMatch(/"plain, with a comma",$/);
    expect(lines[7]).toMatch(/,7,-7,0\.5,,,/);
    expect(lines.slice(8)).toEqual([`,${to},,closing,,,,0.5,,,Closing balance,`, '']);
  });

  it('has pages like JSON, and all lines when no limit is given', async () => {
    const lines = (await statementOf('cat')).lines.length;
    expect((await (await csvOf('cat')).text()).split('\r\n')).toHaveLength(lines + 4);
    const first = await csvOf('cat', { limit: 2 });
    expect((await first.text()).split('\r\n')).toHaveLength(2 + 4);
    const [, path] = /^<(.*)>; rel="next"$/.exec(first.headers.get('Link') ?? '') ?? [];
    const second = await fetch(`${business.client.baseUrl}${path}`, {
      headers: { Authorization: `Bearer ${business.account.token}` },
    });
    expect((await second.text()).split('\r\n')[2]).toContain(',3,,,');
  });
});

describe('a request for a statement', () => {
  it.each([
    [{ from: '2026-02-01', to: '2026-02-01' }, ['from must be before to']],
    [{ from: '2026-02-02', to: '2026-02-01', limit: '0' }, ['from must be before to', 'limit must not be less than 1']],
    [{ from: '2025-01-01', to: '2026-03-01' }, ['to must not be more than 400 days after from']],
    [{ from: '2020-01-01' }, ['to must not be more than 400 days after from']],
    [{ from: '2026-02-30' }, ['from must be a timestamp or an ISO 8601 date']],
    [{ limit: '1001', format: 'xml' }, ['limit must not be greater than 1000', 'format must be one of']],
    [{ cursor: 'bad', to: 'now' }, ['cursor must be a cursor', 'to must be a timestamp']],
  ])('with %j is refused', async (query, faults) => {
    const { status, body } = await get('ann', query);
    expect(status).toBe(400);
    expect(body.message).toHaveLength(faults.length);
    for (const fault of faults) expect(String(body.message)).toContain(fault);
  });

  it('with a cursor goes on, though its period is too long by now for a new statement', async () => {
    const from = new Date(Date.now() - 400 * 86_400_000 + 60_000).toISOString();
    const { next: cursor, lines } = await statementOf('cat', { limit: 1, from });
    const now = Date.now;
    const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 120_000);
    try {
      const text = 'to must not be more than 400 days after from';
      for (const query of [{}, { cursor: '' }]) {
        expect(await get('cat', { limit: 1, from, ...query })).toMatchObject({
          status: 400,
          body: { message: [text] },
        });
      }
      const second = await statementOf('cat', { limit: 1, from, cursor });
      expect(second.lines[0]?.id).toBeGreaterThan(lines[0]?.id ?? Number.POSITIVE_INFINITY);
    } finally {
      later.mockRestore();
    }
  });

  it('with a cursor of another period, user or account is refused', async () => {
    const from = midnight(-300);
    const { next: cursor } = await statementOf('cat', { limit: 1, from });
    const other = await openTestBusiness(api.client);
    await other.user('cat', 5);
    const foreign = 'cursor must be used with the account, filters and sort of the list that answered it';
    for (const answer of [
      await get('cat', { limit: 1, cursor }),
      await get('ann', { limit: 1, cursor, from }),
      await get('cat', { limit: 1, cursor, from }, other.client),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { message: [foreign] } });
    }
  });
});

describe('the order of a statement', () => {
  it('has the newest lines first, and those of a source alone, when asked', async () => {
    const day = { from: midnight(0), to: midnight(1) };
    await business.user('fay', 10);
    const wager = { wager_reference: 'other' };
    const { bet_id } = ok(await business.make('fay', 4, 2, wager)).data;
    ok(await business.accept('bob', 4, { ...wager, bet_id }));
    ok(await business.decide('loss', 'other'));
    ok(await business.client.post('/transactions/fund-user', { user_reference: 'fay', amount: 1 }));
    const all = await statementOf('fay', day);
    const backwards = { ...day, sort_direction: 'desc' };
    const newest = await statementOf('fay', backwards);
    expect(newest).toMatchObject({ opening_balance: 0, closing_balance: 7, bet_net: -4 });
    expect(newest.lines).toEqual([...all.lines].reverse());
    const ids: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Statement = await statementOf('fay', { ...backwards, per_page: 2, cursor });
      expect(page).toMatchObject({ bet_net: -4, closing_balance: 7 });
      ids.push(...page.lines.map(({ id }) => id));
      cursor = page.next;
    }
    expect(ids).toEqual(newest.lines.map(({ id }) => id));
    const funded = await statementOf('fay', { ...backwards, transaction_source: 'funding' });
    expect(funded.lines).toEqual(newest.lines.filter((line) => 'source' in line && line.source === 'funding'));
    expect(funded).toMatchObject({ closing_balance: 7, bet_net: -4 });
    const { body } = await get('fay', { ...backwards, format: 'csv' });
    expect(body.message).toEqual(['format must not be csv with sort_direction=desc or transaction_source']);
  });
});
