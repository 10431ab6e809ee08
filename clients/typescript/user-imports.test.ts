import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '../../testing/client.js';
import { startTestApi, type TestPart } from '../../testing/parts.js';
import { startUnreliableProxy, type UnreliableProxy } from '../../testing/unreliable-proxy.js';
import { withTestEnvironment } from '../../testing/with-environment.js';
import { createLedgerClient, type ImportAnswer, type ImportUser, type LedgerClient } from './client.js';

const environment = withTestEnvironment(async () => {
  await proxy?.close();
  await api?.close();
});
let api: TestPart;
let proxy: UnreliableProxy;
let ledger: LedgerClient;

beforeAll(async () => {
  api = await startTestApi(environment);
  proxy = await startUnreliableProxy(api.client.baseUrl);
});

beforeEach(async () => {
  const { token } = await registerAndLogIn(api.client);
  ledger = createLedgerClient({ baseUrl: proxy.url, token, firstWaitMs: 5 });
  proxy.next();
  (proxy.requests as unknown[]).length = 0;
});

const user = (index: number): ImportUser => ({ reference: `u${index}`, name: 'U', funds: { amount: 1 } });

async function answersTo(users: AsyncGenerator<ImportAnswer>): Promise<ImportAnswer[]> {
  const answers: ImportAnswer[] = [];
  for await (const answer of users) answers.push(answer);
  return answers;
}

describe('an import', () => {
  it('of an iterable has as many bodies as it needs, and an answer for each user', async () => {
    async function* users() {
      for (let index = 0; index < 5_003; index += 1) yield user(index);
    }
    const answers = await answersTo(ledger.users.import(users()));
    expect(answers.map(({ line, status }) => [line, status])).toEqual(answers.map((_, index) => [index + 1, 201]));
    expect([answers.length, proxy.requests.length]).toEqual([5_003, 2]);
    const last = answers.at(-1);
    expect(last && 'user' in last && last.user.reference).toBe('u5002');
  });

  it('sends no body that is too large', async () => {
    const large = { preferences: { note: 'x'.repeat(8_000) } };
    const users = Array.from({ length: 600 }, (_, index) => ({ ...user(index), ...large }));
    const answers = await answersTo(ledger.users.import(users));
    expect([answers.length, answers.every(({ status }) => status === 201)]).toEqual([600, true]);
    expect(proxy.requests).toHaveLength(2);
  });

  it('is repeated when an answer is lost, and does nothing twice', async () => {
    proxy.next('lose answer', 'cut answer');
    const answers = await answersTo(ledger.users.import([user(1), user(2)]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(proxy.requests).toHaveLength(3);
    expect((await ledger.get('/transactions')).total).toBe(2);
  });

  it('gives refused lines as answers, and throws for a refused body', async () => {
    const [, refused] = await answersTo(ledger.users.import([user(1), { ...user(1), name: 'Other' }]));
    expect(refused).toMatchObject({ line: 2, status: 400, message: ['reference must not repeat that of line 1'] });
    const stranger = createLedgerClient({ baseUrl: proxy.url, token: 'none' });
    await expect(answersTo(stranger.users.import([user(1)]))).rejects.toMatchObject({
      name: 'LedgerError',
      status: 401,
    });
  });

  it('sends late lines again for as long as others are answered', async () => {
    const lineOf = (line: number, status: number) => ({ line, status, code: 'overloaded', error: 'Try again' });
    const answer = (...statuses: number[]) => ({
      status: 200,
      body: statuses.map((status, index) => `${JSON.stringify(lineOf(index + 1, status))}\n`).join(''),
    });
    proxy.next(answer(201, 503, 503, 503), answer(409, 503, 503), answer(503, 503));
    const answers = await answersTo(ledger.users.import([1, 2, 3, 4].map(user)));
    expect(answers.map(({ line, status }) => [line, status])).toEqual([
      [1, 201],
      [2, 409],
      [3, 503],
      [4, 503],
    ]);
  });
});
