import { beforeAll, describe, expect, it } from '@jest/globals';
import { kindOf } from '#testing/named-resources.js';
import { createQuickAccount, type QuickAccount } from '#testing/quick-accounts.js';
import { buildRequest, type Field, formsOf, type RequestForm } from '#testing/request-forms.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { endpoints } from '../endpoints.js';

const api = withTestApi({ processes: 2, settings: { RATE_LIMITS: 'off' } });
let admin: QuickAccount;

beforeAll(async () => {
  admin = await createQuickAccount(api.database, { role: 'admin' });
});

interface Event {
  readonly type: string;
  readonly after: { readonly route: string };
  readonly created_at: string;
}

/** What the account itself is shown of the reads of it. */
const readsOf = async ({ token }: QuickAccount): Promise<Event[]> =>
  ok(await api.client.as({ token }).get('/account-events?type=admin-read&per_page=100'), 200).data;

const values: Readonly<Record<string, string>> = {
  reference: 'x',
  user_reference: 'x',
  userId: '1',
  id: '1',
  seq: '1',
  date: '2026-01-15',
  after: 'x',
  q: 'x',
  from: '2026-01-01',
  to: '2026-02-01',
  created_after: '2026-01-01T00:00:00Z',
};

/** A read of the account by this field. */
function readBy(form: RequestForm, naming: Field, accountId: number): string {
  const fields = form.fields.filter((field) => field === naming || field.isRequired);
  const given = fields.map((field) => [field, field === naming ? accountId : values[field.name]] as const);
  return buildRequest(form, new Map(given)).path;
}

const naming = endpoints
  .filter(({ method }) => method === 'get')
  .flatMap(formsOf)
  .flatMap((form) =>
    form.fields.filter((field) => kindOf(form, field) === 'account').map((field) => ({ form, field })),
  );

describe('an admin who reads of another account', () => {
  it('is named in an event of that account, whatever the route', async () => {
    const tenant = await createQuickAccount(api.database);
    expect(naming.length).toBeGreaterThan(15);
    const client = api.client.as({ token: admin.token });
    for (const { form, field } of naming) {
      const controller = new AbortController();
      const url = `${client.baseUrl}${readBy(form, field, tenant.id)}`;
      const headers = { Authorization: `Bearer ${admin.token}` };
      const { status } = await fetch(url, { headers, signal: controller.signal });
      controller.abort();
      expect([200, 404]).toContain(status);
    }
    const routes = naming.map(({ form: { endpoint } }) => `GET ${endpoint.path}`).sort();
    const events = await waitFor(async () => {
      const found = await readsOf(tenant);
      return found.length >= routes.length && found;
    });
    expect(events.map(({ after }) => after.route).sort()).toEqual(routes);
    const actor = { type: 'admin', account_id: admin.id, api_key_id: null, name: `Business ${admin.email}` };
    for (const event of events) {
      expect(event).toMatchObject({ actor, address: '127.0.0.1', request_id: expect.any(String) });
    }
  });

  it('leaves one event a minute for each route, of all processes together', async () => {
    const tenant = await createQuickAccount(api.database);
    const clients = api.clients.map((client) => client.as({ token: admin.token }));
    const read = (path: string) =>
      Promise.all(
        Array.from({ length: 10 }, (_, index) => clients[index % 2]?.get(`${path}?account_ids=${tenant.id}`)),
      );
    await read('/wagers');
    await read('/bets/history');
    const last = await createQuickAccount(api.database);
    await Promise.all(clients.map((client) => client.get(`/wagers?account_ids=${last.id}`)));
    // A process writes all that it has noted in one statement.
    await waitFor(async () => (await readsOf(last)).length > 0 && (await readsOf(tenant)).length >= 2);
    const perMinute = await api.database.query(
      `SELECT count(*)::int AS events FROM account_events WHERE account_id = $1 AND type = 'admin-read'
        GROUP BY after, date_trunc('minute', created_at)`,
      [tenant.id],
    );
    expect(perMinute.map(({ events }) => events)).toEqual(perMinute.map(() => 1));
    expect(new Set((await readsOf(tenant)).map(({ after }) => after.route))).toEqual(
      new Set(['GET /wagers', 'GET /bets/history']),
    );
  });

  it('leaves none with reads of its own account, and a business none with those that it may not make', async () => {
    const [own, tenant, other] = [
      await createQuickAccount(api.database, { role: 'admin' }),
      await createQuickAccount(api.database),
      await createQuickAccount(api.database),
    ];
    ok(await api.client.as({ token: own.token }).get(`/wagers?account_ids=${own.id},999999999`), 200);
    ok(await api.client.as({ token: other.token }).get(`/wagers?account_ids=${tenant.id}`), 200);
    ok(await api.client.as({ token: own.token }).get(`/wagers?account_ids=${other.id}`), 200);
    await waitFor(async () => (await readsOf(other)).length === 1);
    expect(await readsOf(own)).toEqual([]);
    expect(await readsOf(tenant)).toEqual([]);
  });
});
