import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogOwner } from '#proof/storm/clients/log-readers.js';

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of several endpoints
  readonly body: any;
}

/** Longer than the deadline of a request. */
const TIMEOUT_MS = 15_000;
const RETRY_MS = 100;
/** As the sender of a broken connection reports it. */
const LOST = { status: 0, retryAfter: null, body: undefined } as const;

export async function call(url: string, token: string | undefined, body?: object, key?: string): Promise<Answer> {
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
  };
  const request = { headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    const answer = await fetch(
      url,
      body === undefined ? request : { ...request, method: 'POST', body: JSON.stringify(body) },
    );
    return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), body: await answer.json() };
  } catch {
    return LOST;
  }
}

async function demand(url: string, token: string | undefined, body?: object): Promise<Answer['body']> {
  const { status, body: answer } = await call(url, token, body);
  if (status < 200 || status > 299) throw new Error(`${url}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** What a phase saw of one account. */
export interface Seen {
  done: number;
  /** 503 with Retry-After: nothing was done. */
  refused: number;
  /** Anything else: the client repeats it with its key. */
  unclear: number;
}

/** One account that writes without a pause, each write with a key of its own, and that remembers the answers. */
export class AccountClient {
  readonly #apiUrl: string;
  readonly #token: string;
  /** The ids of its offers, and the references of its fundings, as answered. */
  readonly offers = new Set<number>();
  readonly fundings = new Set<string>();
  seen: Seen = { done: 0, refused: 0, unclear: 0 };
  #turn = 0;

  private constructor(
    apiUrl: string,
    token: string,
    readonly accountId: number,
  ) {
    this.#apiUrl = apiUrl;
    this.#token = token;
  }

  static async open(apiUrl: string): Promise<AccountClient> {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const password = randomBytes(12).toString('hex');
    await demand(`${apiUrl}/auth/register/account`, undefined, { name: 'Proof', email, password });
    const { token } = (await demand(`${apiUrl}/auth/login/account`, undefined, { email, password })).data;
    const { id } = (await demand(`${apiUrl}/auth/account/me`, token)).data;
    const client = new AccountClient(apiUrl, token, id);
    await demand(`${apiUrl}/account/user`, token, { name: 'Ann', reference: 'ann' });
    return client;
  }

  get owner(): LogOwner {
    return { account: { id: this.accountId, name: `account ${this.accountId}` }, token: this.#token };
  }

  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  /** A request that must succeed. */
  demand(path: string, body?: object): Promise<Answer['body']> {
    return demand(`${this.#apiUrl}${path}`, this.#token, body);
  }

  /** Writes until the signal; what is unclear is repeated until it is known. */
  async writeUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.write(signal);
  }

  async write(signal?: AbortSignal): Promise<void> {
    this.#turn += 1;
    const key = randomUUID();
    const isFunding = this.#turn % 2 === 1;
    const path = isFunding ? '/transactions/fund-user' : '/bets/make-offer';
    const body = isFunding
      ? { user_reference: 'ann', amount: 1 }
      : { wager_reference: 'final', requesting_odds: 2, requesting_amount: 0.5, requesting_user_reference: 'ann' };
    for (let isUnclear = false; ; ) {
      const answer = await call(`${this.#apiUrl}${path}`, this.#token, body, key);
      if (answer.status === 201) return this.#note(answer, isFunding);
      const isRefused = answer.status === 503 && answer.retryAfter !== null;
      if (isRefused) this.seen.refused += 1;
      else this.seen.unclear += 1;
      isUnclear ||= !isRefused;
      // Nothing was done by a refused request; another one must be repeated before its effect is known.
      if (!isUnclear && signal?.aborted !== false) return;
      await pause(RETRY_MS);
    }
  }

  /** The differences between what was answered and what is stored. */
  async findLosses(): Promise<string[]> {
    const { data: user } = await this.demand('/account/user/ann/reference');
    const { total } = await this.demand('/bets/open-bets?per_page=1');
    const losses: string[] = [];
    if (user.balance !== this.fundings.size) losses.push(`balance ${user.balance}, funded ${this.fundings.size}`);
    if (total !== this.offers.size) losses.push(`${total} offers, answered ${this.offers.size}`);
    if (user.exposure !== this.offers.size / 2) losses.push(`exposure ${user.exposure} of ${this.offers.size} offers`);
    for (const id of [...this.offers].slice(-20)) {
      const { status } = await call(`${this.#apiUrl}/bets/${id}`, this.#token);
      if (status !== 200) losses.push(`offer ${id}: ${status}`);
    }
    const ids = [...this.offers];
    if (ids.some((id, index) => id <= (ids[index - 1] ?? 0))) losses.push('a later offer has a lower id');
    return losses.map((loss) => `account ${this.accountId}: ${loss}`);
  }

  #note({ body }: Answer, isFunding: boolean): void {
    this.seen.done += 1;
    if (isFunding) this.fundings.add(body.data.reference);
    else this.offers.add(body.data.bet_id);
  }
}
