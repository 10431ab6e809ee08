import { beforeAll } from '@jest/globals';
import { type Answer, TestClient } from './client.js';
import { startTestApi, startTestDashboard, type TestPart } from './parts.js';
import { withTestEnvironment } from './with-environment.js';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Asks the console for a session, as its form does. */
export const postSession = (
  client: TestClient,
  { email, password }: Credentials,
  headers: Record<string, string> = {},
) => client.post('/session', { email, password }, { headers });

/** The cookie that the console sets, with its attributes; empty without one. */
export const cookieOf = ({ headers }: Answer): string => headers.getSetCookie()[0] ?? '';

/** The client of a browser in which the account has logged in at the console. */
export async function logInAtConsole(client: TestClient, account: Credentials): Promise<TestClient> {
  const answer = await postSession(client, account);
  const cookie = cookieOf(answer);
  if (answer.status !== 200 || cookie === '') throw new Error(`the log-in answered ${answer.status}`);
  return new TestClient(client.baseUrl, undefined, { ...client.headers, Cookie: cookie.split(';')[0] ?? '' });
}

type Settings = Record<string, string>;

/** An API, and the console's server before it, while the tests of a file run. */
export function withConsoleServer({ ofApi, ofConsole }: { ofApi?: Settings; ofConsole?: Settings } = {}) {
  const [api, console] = [{} as TestPart, {} as TestPart];
  const environment = withTestEnvironment(async () => {
    await console.close?.();
    await api.close?.();
  });
  beforeAll(async () => {
    Object.assign(api, await startTestApi(environment, ofApi));
    const settings = { ...ofConsole, API_URL: api.client.baseUrl };
    Object.assign(console, await startTestDashboard(environment, settings));
  });
  return { environment, api, console };
}
