import { describe, expect, it } from '@jest/globals';
import { TestClient } from '#testing/client.js';
import { metricsIn, samplesIn, valueIn } from '#testing/metrics.js';
import { startTestApi } from '#testing/parts.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
const business = withBusiness(api);

async function scrape(client = api.client): Promise<string> {
  const { status, headers, body } = await client.get('/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return body;
}

const requests = (text: string, labels: Record<string, string>) =>
  valueIn(text, 'ledger_http_request_duration_seconds_count', labels) ?? 0;

describe('metrics of the API', () => {
  it('count requests by method, pattern of the route, and status', async () => {
    const before = await scrape();
    await business.user('ann');
    await business.client.get('/account/user/ann/reference');
    await business.client.get('/account/user/nobody-77/reference');
    await business.client.get('/no/such/route/77?token=secret');
    await business.client.call('PROPFIND', '/no/such/route');
    const after = await scrape();
    const counted = (method: string, route: string, status: string) =>
      requests(after, { method, route, status }) - requests(before, { method, route, status });
    expect(counted('POST', '/account/user', '201')).toBe(1);
    expect(counted('GET', '/account/user/:reference/reference', '200')).toBe(1);
    expect(counted('GET', '/account/user/:reference/reference', '404')).toBe(1);
    expect(counted('GET', 'none', '404')).toBe(1);
    expect(counted('other', 'none', '404')).toBe(1);
    expect(after).not.toMatch(/nobody-77|such|secret/);
    const route = { method: 'POST', route: '/account/user', status: '201' };
    const [all, within] = ['+Inf', '10'].map((le) =>
      valueIn(after, 'ledger_http_request_duration_seconds_bucket', { ...route, le }),
    );
    expect(within).toBe(all);
    expect(valueIn(after, 'ledger_http_request_duration_seconds_sum', route)).toBeGreaterThan(0);
  });

  it('tell of lanes and transactions', async () => {
    await business.user('bob');
    const before = await scrape();
    await Promise.all(Array.from({ length: 40 }, () => business.make('bob', 1)));
    const after = await scrape();
    const grown = (name: string, labels = {}) =>
      (valueIn(after, name, labels) ?? 0) - (valueIn(before, name, labels) ?? 0);
    expect(grown('ledger_transaction_operations_sum')).toBe(40);
    const transactions = grown('ledger_transaction_operations_count');
    expect(transactions).toBeGreaterThanOrEqual(1);
    expect(transactions).toBeLessThan(40);
    expect(grown('ledger_transaction_duration_seconds_count', { end: 'committed' })).toBe(transactions);
    expect(valueIn(after, 'ledger_lane_waiting', { lane: '0' })).toBe(0);
    expect(valueIn(after, 'ledger_lane_waiting', { lane: '1' })).toBe(0);
  });

  it('tell of the pool, of Redis, of refusals and of the process', async () => {
    const wrong = { email: business.account.email, password: 'wrong password' };
    for (let tries = 0; tries < 22; tries += 1) await api.client.post('/auth/login/account', wrong);
    const text = await scrape();
    expect(valueIn(text, 'ledger_rate_limit_refusals_total', { limit: 'login-here' })).toBe(2);
    expect(valueIn(text, 'ledger_database_connections', { state: 'idle' })).toBeGreaterThanOrEqual(1);
    expect(valueIn(text, 'ledger_database_connections_limit')).toBe(10);
    expect(valueIn(text, 'ledger_database_waiting')).toBe(0);
    expect(valueIn(text, 'ledger_redis_up')).toBe(1);
    expect(valueIn(text, 'ledger_process_cpu_seconds_total', { mode: 'user' })).toBeGreaterThan(0);
    expect(valueIn(text, 'ledger_process_memory_bytes', { kind: 'resident' })).toBeGreaterThan(1e7);
    expect(valueIn(text, 'ledger_event_loop_lag_seconds', { quantile: '0.99' })).toBeGreaterThanOrEqual(0);
    expect(valueIn(text, 'ledger_event_loop_utilization_ratio')).toBeGreaterThan(0);
    expect(valueIn(text, 'ledger_process_start_time_seconds')).toBeGreaterThan(1.7e9);
  });

  it('have names with a prefix, and labels that hold no personal data', async () => {
    const text = await scrape();
    for (const name of metricsIn(text).keys()) expect(name).toMatch(/^ledger_[a-z_]+$/);
    const known = [
      'method',
      'route',
      'status',
      'le',
      'state',
      'lane',
      'end',
      'limit',
      'mode',
      'kind',
      'quantile',
      'server',
      'by',
      'quota',
    ];
    const labels = new Set(samplesIn(text).flatMap((sample) => Object.keys(sample.labels)));
    expect([...labels].filter((label) => !known.includes(label))).toEqual([]);
    expect(text).not.toContain(business.account.email);
  });
});

describe('who may read metrics', () => {
  const TOKEN = 'a token for Prometheus';

  it('is any caller at a private address, but no caller behind a proxy', async () => {
    expect((await api.client.get('/metrics')).status).toBe(200);
    for (const header of ['X-Forwarded-For', 'Forwarded']) {
      const { status, body } = await api.client.get('/metrics', { headers: { [header]: '127.0.0.1' } });
      expect([status, body]).toEqual([403, { status: 403, error: 'Metrics are for callers at private addresses' }]);
    }
  });

  it('is any caller with the token, from any address, where one is set', async () => {
    const guarded = await startTestApi(api.environment, { METRICS_TOKEN: TOKEN });
    try {
      const elsewhere = { headers: { 'X-Forwarded-For': '203.0.113.7' } };
      const { baseUrl } = guarded.client;
      for (const client of [guarded.client, guarded.client.as({ token: `${TOKEN}x` }), business.client]) {
        const answer = await new TestClient(baseUrl, client.credential).get('/metrics');
        expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthorized', statusCode: 401 }]);
      }
      expect((await guarded.client.as({ token: TOKEN }).get('/metrics', elsewhere)).status).toBe(200);
      expect(await scrape(guarded.client.as({ token: TOKEN }))).not.toContain(TOKEN);
    } finally {
      await guarded.close();
    }
  });
});
