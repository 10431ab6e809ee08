import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { withConsoleServer } from '#testing/console-session.js';
import { startTestApi } from '#testing/parts.js';

const { environment, api, console } = withConsoleServer();
let secret: string;

beforeAll(async () => {
  secret = environment.config().consoleSecret ?? '';
});

interface Try {
  readonly url: string;
  readonly account: LoggedIn;
  readonly password?: string;
  /** Of the caller's own connection. */
  readonly from?: string;
  readonly headers?: Record<string, string>;
}

/** Logs in, and returns the status. */
async function tryLogin({ url, account, password = account.password, from = '127.0.0.1', headers }: Try) {
  const json = { 'Content-Type': 'application/json', ...headers };
  const sent = request(url, { method: 'POST', localAddress: from, agent: false, headers: json });
  sent.end(JSON.stringify({ email: account.email, password }));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(await text(answer)).not.toContain(secret);
  return answer.statusCode;
}

const atConsole = () => `${console.client.baseUrl}/session`;
const atApi = () => `${api.client.baseUrl}/auth/login/account`;

/** The statuses of 22 wrong tries: from one network, the last two are refused. */
async function guess(url: string, account: LoggedIn, headersOf: (attempt: number) => Record<string, string>) {
  const statuses = [];
  for (let attempt = 1; attempt <= 22; attempt += 1) {
    statuses.push(await tryLogin({ url, account, password: 'wrong password', headers: headersOf(attempt) }));
  }
  return statuses;
}

const REFUSED = [...Array(20).fill(401), 429, 429];
const TRIED = Array(22).fill(401);

describe('the address of a caller', () => {
  it('is that of its browser, so wrong tries of a stranger at the console lock no other network out', async () => {
    const owner = await registerAndLogIn(api.client);
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const from = `127.0.0.${2 + (attempt % 10)}`;
      expect(await tryLogin({ url: atConsole(), account: owner, password: 'wrong password', from })).toBe(401);
    }
    expect(await tryLogin({ url: atConsole(), account: owner })).toBe(200);
    const { body } = await owner.client.get('/account-events?type=login');
    expect(body.data.at(-1).address).toBe('127.0.0.1');
  });

  it('is not what a browser says', async () => {
    const account = await registerAndLogIn(api.client);
    const forged = (attempt: number) => {
      const address = `192.0.2.${attempt}`;
      return { 'X-Forwarded-For': address, Forwarded: `for=${address}`, 'Console-Address': address };
    };
    expect(await guess(atConsole(), account, forged)).toEqual(REFUSED);
  });

  it.each<[string, (address: string) => Record<string, string>]>([
    ['without the secret', (address) => ({ 'Console-Address': address })],
    ['with another secret', (address) => ({ 'Console-Address': address, 'Console-Secret': 'x'.repeat(40) })],
    ['with an empty secret', (address) => ({ 'Console-Address': address, 'Console-Secret': '' })],
    ['by what only proxies may say', (address) => ({ 'X-Forwarded-For': address, 'Console-Secret': secret })],
    ['by a text that is none', (address) => ({ 'Console-Address': `${address}, 192.0.2.1`, 'Console-Secret': secret })],
  ])('is named to the API by the console alone: not %s', async (_name, headersOf) => {
    const account = await registerAndLogIn(api.client);
    expect(await guess(atApi(), account, (attempt) => headersOf(`192.0.2.${attempt}`))).toEqual(REFUSED);
  });

  it('is believed with the secret, which stands in no log line', async () => {
    const account = await registerAndLogIn(api.client);
    const named = (attempt: number) => ({ 'Console-Address': `198.51.100.${attempt}`, 'Console-Secret': secret });
    expect(await guess(atApi(), account, named)).toEqual(TRIED);
    expect(environment.logLines.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('is not believed by an API without a secret', async () => {
    const account = await registerAndLogIn(api.client);
    const other = await startTestApi(environment, { CONSOLE_SECRET: '' });
    const named = (attempt: number) => ({ 'Console-Address': `203.0.113.${attempt}`, 'Console-Secret': secret });
    const url = `${other.client.baseUrl}/auth/login/account`;
    expect(await guess(url, account, named)).toEqual(REFUSED);
    await other.close();
  });
});
