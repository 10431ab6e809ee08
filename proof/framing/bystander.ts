import { randomBytes } from 'node:crypto';

// A user with ordinary requests, while a hostile tenant sends odd ones. Each request and each thing that it makes carries a mark,
// so that an answer shows whose it is.

export interface BystanderOptions {
  readonly baseUrl: string;
  /** Before the paths of the API: the console has one. */
  readonly prefix: string;
  /** Its credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly email: string;
  /** Whether its account may change. */
  readonly writes: boolean;
  /** Whether no answer is right, too: of a service that fails on purpose. */
  readonly mayFail: boolean;
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** What the answer must contain. */
  readonly contains: string;
}

const WITHIN_MS = 20_000;
/** Statuses of a service that fails for a while. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

export class Bystander {
  /** In all that it sends, and in nothing of others. */
  readonly mark = `bystander-${randomBytes(6).toString('hex')}`;
  readonly findings: string[] = [];
  readonly #options: BystanderOptions;
  #asked = 0;
  #made: string[] = [];

  constructor(options: BystanderOptions) {
    this.#options = options;
  }

  get asked(): number {
    return this.#asked;
  }

  /** Texts that no answer to another caller may contain. */
  get secrets(): readonly string[] {
    return [this.mark, this.#options.email, ...Object.values(this.#options.headers)];
  }

  /** Sends its next request, and checks the answer. */
  async act(): Promise<void> {
    const { email, writes } = this.#options;
    const turn = this.#asked % 3;
    const made = this.#made.at(-1);
    if (writes && turn === 1) return this.#makeUser();
    if (made !== undefined && turn === 2) {
      return this.#ask({ method: 'GET', path: `/account/user/${made}/reference`, status: 200, contains: `"${made}"` });
    }
    return this.#ask({ method: 'GET', path: '/auth/account/me', status: 200, contains: `"${email}"` });
  }

  /** Compares what its account has with what it made. */
  async check(): Promise<void> {
    await this.#ask({ method: 'GET', path: '/auth/account/api-keys', status: 200, contains: '"total":0' });
    if (!this.#options.writes) return;
    const contains = `"total":${this.#made.length}`;
    await this.#ask({ method: 'GET', path: '/account/user?per_page=1', status: 200, contains });
  }

  async #makeUser(): Promise<void> {
    const reference = `${this.mark}-${this.#asked}`;
    const body = { name: this.mark, reference };
    await this.#ask({ method: 'POST', path: '/account/user', body, status: 201, contains: `"${reference}"` });
    this.#made.push(reference);
  }

  async #ask({ method, path, body, status, contains }: Asked): Promise<void> {
    const { baseUrl, prefix, headers, mayFail } = this.#options;
    this.#asked += 1;
    const id = `${this.mark}.${this.#asked}`;
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    try {
      const answer = await fetch(`${baseUrl}${prefix}${path}`, {
        method,
        headers: { ...headers, ...type, 'X-Request-Id': id },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      const text = await answer.text();
      if (mayFail && isPassing(answer.status)) return;
      const answered = answer.headers.get('X-Request-Id');
      if (answer.status !== status || answered !== id || !text.includes(contains)) {
        const got = `${answer.status} ${text.slice(0, 200)}, as the answer to ${answered}`;
        this.findings.push(`${id}: ${method} ${path} was answered with ${got}`);
      }
    } catch (error) {
      if (!mayFail) this.findings.push(`${id}: ${method} ${path} had no answer: ${String(error)}`);
    }
  }
}
