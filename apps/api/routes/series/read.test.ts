import { beforeAll, describe, expect, it } from '@jest/globals';
import { fundUsers, openSandbox } from '#testing/sandboxes.js';
import { acceptance, offer, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const HOUR_MS = 3_600_000;
const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });
const business = withBusiness(api, { ann: 100, bob: 100 });

interface Hour {
  readonly at: string;
  readonly matched_bets: number;
}

const read = (query = '', { client }: Pick<TestBusiness, 'client'> = business) => client.get(`/series?${query}`);
const lastOf = async (query = '', of?: Pick<TestBusiness, 'client'>) => ok(await read(query, of), 200).data.at(-1);

beforeAll(async () => {
  await business.match('ann', 'bob', 10);
});

describe('the series', () => {
  it('shows what is matched, settled and at risk as soon as it is answered', async () => {
    const matched = { matched_bets: 1, matched_amount: 10, settled_bets: 0, settled_amount: 0 };
    expect(await lastOf()).toMatchObject({ ...matched, gross_exposure: 20 });
    for (const of of ['wager_reference=match', 'user_reference=ann']) {
      expect(await lastOf(of)).toMatchObject(matched);
    }
    expect(await lastOf('user_reference=bob')).toMatchObject({ gross_exposure: 10 });
    ok(await business.client.put('/wagers/other', { event: 'final' }), 200);
    expect(await lastOf('wager_reference=other')).toMatchObject({ matched_bets: 0, gross_exposure: 0 });
  });

  it('is of whole hours, a day up to the present one unless asked otherwise', async () => {
    const answer = ok(await read(), 200);
    expect(answer).toMatchObject({ step: 'hour', behind_events: 0 });
    expect(answer.data).toHaveLength(24);
    expect(answer.data.every(({ at }: Hour) => Date.parse(at) % HOUR_MS === 0)).toBe(true);
    const some = ok(await read('from=2026-01-15T10:30:00Z&to=2026-01-15T12:00:00.001Z'), 200).data;
    expect(some.map(({ at }: Hour) => at)).toEqual([10, 11, 12].map((hour) => `2026-01-15T${hour}:00:00.000Z`));
  });

  it('has no hour that is still to come', async () => {
    const to = new Date(Date.now() + 5 * HOUR_MS).toISOString();
    const hours: Hour[] = ok(await read(`to=${to}`), 200).data;
    expect(hours.length).toBeLessThan(24);
    expect(hours.at(-1)).toMatchObject({ matched_bets: 1 });
    expect(ok(await read('from=2099-01-01&to=2099-01-02'), 200).data).toEqual([]);
  });

  it('takes 744 hours and no more', async () => {
    expect(ok(await read('from=2026-01-01&to=2026-02-01'), 200).data).toHaveLength(744);
    for (const [query, message] of [
      ['from=2026-01-01&to=2026-02-01T00:00:01Z', 'to must not be more than 744 hours after from'],
      ['from=2026-01-02&to=2026-01-01', 'from must be before to'],
      ['user_reference=ann&wager_reference=match', 'user_reference must not be given together with wager_reference'],
      ['from=soon', 'from must be'],
    ]) {
      const { status, body } = await read(query);
      expect([query, status, String(body.message)]).toEqual([query, 400, expect.stringContaining(message as string)]);
    }
  });

  it('answers at the ends of time', async () => {
    for (const moment of ['0000-01-01', '0001-01-01', '9999-12-31T23:30:00Z', '-62167219200000', '253402300799999']) {
      for (const query of [`to=${moment}`, `from=${moment}`, `from=${moment}&to=${moment}`]) {
        expect([200, 400]).toContain((await read(query)).status);
      }
    }
  });

  it('has real hours in a sandbox, wherever its clock is', async () => {
    const sandbox = await openSandbox(business.client);
    await fundUsers(sandbox.client);
    await sandbox.advance({ advance_s: 86_400 });
    const { bet_id } = ok(await sandbox.client.post('/bets/make-offer', offer('ann', 10, 2))).data;
    ok(await sandbox.client.post('/bets/accept-offer', acceptance('bob', 10, { bet_id })));
    const last = await lastOf('', sandbox);
    expect(last).toMatchObject({ matched_bets: 1 });
    expect(Date.parse(last.at)).toBeLessThan(Date.now());
  });

  it('knows only wagers and users of the account', async () => {
    const other = await openTestBusiness(api.client);
    for (const client of [business, other]) {
      expect(await read('wager_reference=nothing', client)).toMatchObject({
        status: 404,
        body: { error: 'Wager not found' },
      });
      expect(await read('user_reference=nobody', client)).toMatchObject({
        status: 404,
        body: { error: 'User not found' },
      });
    }
    expect((await read('wager_reference=match', other)).status).toBe(404);
    expect((await read('user_reference=ann', other)).status).toBe(404);
    expect(await lastOf('', other)).toMatchObject({ matched_bets: 0, gross_exposure: 0 });
  });

  it('is of another account for an admin alone', async () => {
    const [row] = await api.database.query('SELECT id::int FROM accounts WHERE email = $1', [business.account.email]);
    const admin = await registerAdmin(api.client, api.database);
    expect(await lastOf(`account_id=${row?.id}`, admin)).toMatchObject({ matched_bets: 1 });
    const other = await openTestBusiness(api.client);
    expect(await lastOf(`account_id=${row?.id}`, other)).toMatchObject({ matched_bets: 0 });
  });
});
