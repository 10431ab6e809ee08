import { randomBytes } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  readonly body: any;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type Credential = { readonly token: string } | { readonly base64: string } | undefined;

function authorizationOf(credential: Credential): Record<string, string> {
  if (credential === undefined) return {};
  return { Authorization: 'token' in credential ? `Bearer ${credential.token}` : `Basic ${credential.base64}` };
}

const isStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream') ?? false;

/** A stream does not end by itself: its first frames are enough. */
async function firstPart({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

/** Calls the API over HTTP. */
export class TestClient {
  constructor(
    readonly baseUrl: string,
    readonly credential?: Credential,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  as(credential: Credential): TestClient {
    return new TestClient(this.baseUrl, credential, this.headers);
  }

  with(headers: Readonly<Record<string, string>>): TestClient {
    return new TestClient(this.baseUrl, this.credential, headers);
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, options);
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, { ...options, body });
  }

  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('PUT', path, { ...options, body });
  }

  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('PATCH', path, { ...options, body });
  }

  delete(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('DELETE', path, options);
  }

  async call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const hasBody = body !== undefined;
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...authorizationOf(this.credential),
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...this.headers,
        ...headers,
      },
      body: hasBody ? (typeof body === 'string' ? body : JSON.stringify(body)) : null,
    });
    const text = isStream(response) ? await firstPart(response) : await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

export interface TestAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export function inventAccount(): TestAccount {
  const unique = randomBytes(6).toString('hex');
  return { name: `Business ${unique}`, email: `business-${unique}@example.com`, password: `correct horse ${unique}` };
}

export interface LoggedIn extends TestAccount {
  readonly id: number;
  readonly token: string;
  readonly client: TestClient;
}

export async function register(client: TestClient, account = inventAccount()): Promise<TestAccount> {
  const answer = await client.post('/auth/register/account', account);
  if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return account;
}

export async function logIn(client: TestClient, { email, password }: TestAccount): Promise<string> {
  const answer = await client.post('/auth/login/account', { email, password });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.data.token;
}

/** A token begins with the number of its account. */
const accountIn = (token: string): number => Number.parseInt(token, 10);

export async function registerAndLogIn(client: TestClient, account = inventAccount()): Promise<LoggedIn> {
  await register(client, account);
  const token = await logIn(client, account);
  return { ...account, id: accountIn(token), token, client: client.as({ token }) };
}
