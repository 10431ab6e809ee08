import { describe, expect, it } from '@jest/globals';
import { errorTable } from '#http/error-table.js';
import { type RawRequest, sendRaw } from '#proof/framing/raw-request.js';
import type { Answer, TestClient } from '#testing/client.js';
import { acceptance, offer } from '#testing/test-business.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2 });
const business = withBusiness(api, { ann: 100, bob: 100 });

const statusOf = new Map<string, number>(errorTable.map(({ code, status }) => [code, status]));
const codeOf = ({ headers }: Answer) => headers.get('ledger-error');
const operationOf = ({ headers }: Answer) => headers.get('ledger-error-operation');

type Send = (client: TestClient) => Promise<Answer>;

const REFUSED: readonly (readonly [code: string, send: Send])[] = [
  ['malformed', (client) => client.post('/bets/make-offer', {})],
  ['malformed', (client) => client.post('/bets/make-offer', '{"a":')],
  ['malformed', (client) => client.get('/wagers?cursor=none')],
  ['path-encoding', (client) => client.get('/account/user/%zz/reference')],
  ['unauthorized', (client) => client.as(undefined).get('/wagers')],
  [
    'unauthorized',
    (client) => client.as(undefined).post('/auth/login/account', { email: 'a@b.example', password: 'x' }),
  ],
  ['admins-only', (client) => client.get('/admin/accounts')],
  ['route-not-found', (client) => client.get('/nowhere')],
  ['route-not-found', (client) => client.get('/docs/nothing.js')],
  ['method-not-allowed', (client) => client.call('HEAD', '/auth/account/verify-email?token=1')],
  ['not-acceptable', (client) => client.get('/events/stream', { headers: { Accept: 'text/html' } })],
  ['too-large', (client) => client.post('/account/user', { name: 'x'.repeat(300_000) })],
  ['not-json', (client) => client.post('/account/user', 'a=1', { headers: { 'Content-Type': 'text/plain' } })],
  ['not-lines', (client) => client.post('/account/users/import', '{}')],
  ['user-not-found', (client) => client.get('/account/user/nobody/reference')],
  ['user-not-found', (client) => client.post('/transactions/fund-user', { user_reference: 'nobody', amount: 1 })],
  ['user-reference-taken', (client) => client.post('/account/user', { name: 'Ann', reference: 'ann' })],
  ['offer-unfunded', (client) => client.post('/bets/make-offer', offer('ann', 500))],
  ['no-matching-offers', (client) => client.post('/bets/accept-offer', acceptance('bob', 5))],
  ['export-not-found', (client) => client.get('/exports/4711')],
];

describe('a refusal names itself', () => {
  it.each(REFUSED)('%s', async (code, send) => {
    const answer = await send(business.client);
    expect([codeOf(answer), answer.status]).toEqual([code, statusOf.get(code)]);
    expect(operationOf(answer)).toBeNull();
  });

  it('and a success does not', async () => {
    for (const path of ['/wagers', '/healthz']) expect(codeOf(await business.client.get(path))).toBeNull();
  });
});

const REQUEST = 'GET /wagers HTTP/1.1\r\n';
const HOST = 'Host: x\r\n';

const BY_HTTP: readonly (readonly [code: string, request: RawRequest])[] = [
  ['bad-framing', [`${REQUEST}${HOST}Content-Length: 2\r\n\r\n{}`]],
  ['bad-framing', [`${REQUEST}${HOST}${HOST}\r\n`]],
  ['bad-framing', [`${REQUEST}\r\n`]],
  ['bad-framing', ['no HTTP at all\r\n\r\n']],
  ['headers-too-large', [`${REQUEST}${HOST}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`]],
  ['expectation-failed', [`${REQUEST}${HOST}Expect: wonders\r\nConnection: close\r\n\r\n`]],
];

describe('a request that HTTP itself refuses', () => {
  it.each(BY_HTTP)('%s', async (code, request) => {
    const { port } = new URL(api.client.baseUrl);
    const { text } = await sendRaw(Number(port), request, { firstMs: 5_000, moreMs: 1_000 });
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${statusOf.get(code)} `));
    expect(text).toMatch(new RegExp(`\r\nLedger-Error: ${code}\r\n`));
  });
});

describe('a refused batch', () => {
  const ODD = 'größer: 100 %';
  const make = (operation_id: string, amount: number) => ({
    operation_type: 'make_bet_offer',
    operation_id,
    data: offer('ann', amount),
  });
  const encoded = (answer: Answer) => decodeURIComponent(operationOf(answer) ?? '');

  it('names the operation, also when its answer is given again by another process', async () => {
    const key = { 'Idempotency-Key': 'refused batch' };
    const body = { operations: [make('small', 5), make(ODD, 500)] };
    const first = await business.client.with(key).post('/bets/batch', body);
    const other = (api.clients[1] as TestClient).as({ token: business.account.token }).with(key);
    for (const answer of [
      first,
      await business.client.with(key).post('/bets/batch', body),
      await other.post('/bets/batch', body),
    ]) {
      expect([answer.status, codeOf(answer), encoded(answer)]).toEqual([400, 'offer-unfunded', ODD]);
      expect(operationOf(answer)).toMatch(/^[\x21-\x7e]+$/);
    }
  });

  it('names none when it is refused as a whole', async () => {
    const answer = await business.client.post('/bets/batch', { operations: [make('same', 5), make('same', 6)] });
    expect([codeOf(answer), operationOf(answer)]).toEqual(['operation-ids-repeated', null]);
  });

  it('is told by the typed client', async () => {
    const body = { operations: [make('small', 5), make(ODD, 500)] } as never;
    await expect(business.ledger.post('/bets/batch', { body })).rejects.toMatchObject({
      status: 400,
      code: 'offer-unfunded',
      operationId: ODD,
    });
  });
});

describe('a refusal of a single operation with a key', () => {
  it('has its code again when its answer is given again', async () => {
    for (const [path, body, code] of [
      ['/bets/make-offer', offer('ann', 700), 'offer-unfunded'],
      ['/account/user', { name: 'Ann', reference: 'ann' }, 'user-reference-taken'],
    ] as const) {
      const keyed = business.client.with({ 'Idempotency-Key': `again ${code}` });
      await keyed.post(path, body);
      const again = await keyed.post(path, body);
      expect([codeOf(again), again.headers.get('idempotent-replayed')]).toEqual([code, 'true']);
    }
  });
});
