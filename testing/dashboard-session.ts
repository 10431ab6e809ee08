import { TestClient } from './client.js';

/** Sends a form as a browser does, and follows no redirect. */
export function postForm(
  { baseUrl, headers: own }: TestClient,
  path: string,
  { fields = {}, headers = {} }: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { ...own, ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

interface Admin {
  readonly email: string;
  readonly password: string;
}

/** The client of a browser in which the admin has logged in at the dashboard. */
export async function logInAtDashboard(client: TestClient, { email, password }: Admin): Promise<TestClient> {
  const answer = await postForm(client, '/login', { fields: { email, password } });
  const [cookie = ''] = answer.headers.getSetCookie();
  if (answer.status !== 303 || cookie === '') throw new Error(`the log-in answered ${answer.status}`);
  return new TestClient(client.baseUrl, undefined, { ...client.headers, Cookie: cookie.split(';')[0] ?? '' });
}
