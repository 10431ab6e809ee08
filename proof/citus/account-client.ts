import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createLedgerClient, type LedgerClient, LedgerError, LedgerUnreachable } from '#clients/typescript/client.js';
import type { LogOwner } from '#proof/storm/clients/log-readers.js';

const RETRY_MS = 100;

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
  /** The ids of its offers, and the references of its fundings, as answered. */
  readonly offers = new Set<number>();
  readonly fundings = new Set<string>();
  seen: Seen = { done: 0, refused: 0, unclear: 0 };
  #turn = 0;

  private constructor(
    readonly ledger: LedgerClient,
    readonly owner: LogOwner,
  ) {}

  static async open(baseUrl: string): Promise<AccountClient> {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const password = randomBytes(12).toString('hex');
    const anyone = createLedgerClient({ baseUrl, allowHttp: true });
    await anyone.post('/auth/register/account', { body: { name: 'Proof', email, password } });
    const { token } = (await anyone.post('/auth/login/account', { body: { email, password } })).data;
    // Each try is counted here.
    const ledger = createLedgerClient({ baseUrl, allowHttp: true, token, retries: 0 });
    const { id } = (await ledger.get('/auth/account/me')).data;
    await ledger.post('/account/user', { body: { name: 'Ann', reference: 'ann' } });
    return new AccountClient(ledger, { account: { id, name: `account ${id}` }, token });
  }

  get accountId(): number {
    return this.owner.account.id;
  }

  /** Writes until the signal; what is unclear is repeated until it is known. */
  async writeUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.write(signal);
  }

  async write(signal?: AbortSignal): Promise<void> {
    this.#turn += 1;
    const key = randomUUID();
    const isFunding = this.#turn % 2 === 1;
    for (let isUnclear = false; ; ) {
      const failure = await (isFunding ? this.#fund(key) : this.#offer(key)).catch((error: unknown) => error);
      if (failure === undefined) {
        this.seen.done += 1;
        return;
      }
      if (!(failure instanceof LedgerError || failure instanceof LedgerUnreachable)) throw failure;
      const isRefused = 'status' in failure && failure.status === 503 && failure.retryAfterSeconds !== undefined;
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
    const { ledger } = this;
    const ann = { params: { path: { reference: 'ann' } } };
    const { data: user } = await ledger.get('/account/user/{reference}/reference', ann);
    const { total } = await ledger.get('/bets/open-bets', { params: { query: { per_page: 1 } } });
    const losses: string[] = [];
    if (user.balance !== this.fundings.size) losses.push(`balance ${user.balance}, funded ${this.fundings.size}`);
    if (total !== this.offers.size) losses.push(`${total} offers, answered ${this.offers.size}`);
    if (user.exposure !== this.offers.size / 2) losses.push(`exposure ${user.exposure} of ${this.offers.size} offers`);
    for (const id of [...this.offers].slice(-20)) {
      const failure = await ledger.get('/bets/{id}', { params: { path: { id } } }).catch((error: Error) => error);
      if (failure instanceof Error) losses.push(`offer ${id}: ${failure.message}`);
    }
    const ids = [...this.offers];
    if (ids.some((id, index) => id <= (ids[index - 1] ?? 0))) losses.push('a later offer has a lower id');
    return losses.map((loss) => `account ${this.accountId}: ${loss}`);
  }

  async #fund(idempotencyKey: string): Promise<void> {
    const body = { user_reference: 'ann', amount: 1 };
    const { data } = await this.ledger.post('/transactions/fund-user', { body, idempotencyKey });
    this.fundings.add(data.reference);
  }

  async #offer(idempotencyKey: string): Promise<void> {
    const terms = { wager_reference: 'final', requesting_odds: 2, requesting_amount: 0.5 };
    const body = { ...terms, requesting_user_reference: 'ann' };
    const { data } = await this.ledger.post('/bets/make-offer', { body, idempotencyKey });
    this.offers.add(data.bet_id);
  }
}

/** What the accounts saw while `during` ran. */
export async function underLoad(
  accounts: readonly AccountClient[],
  during: () => Promise<void>,
): Promise<ReadonlyMap<AccountClient, Seen>> {
  for (const account of accounts) account.seen = { done: 0, refused: 0, unclear: 0 };
  const ending = new AbortController();
  const writing = Promise.all(accounts.map((account) => account.writeUntil(ending.signal)));
  try {
    await during();
  } finally {
    ending.abort();
  }
  await writing;
  return new Map(accounts.map((account) => [account, { ...account.seen }]));
}

export const sumOf = (seen: readonly Seen[]): Seen => ({
  done: seen.reduce((sum, { done }) => sum + done, 0),
  refused: seen.reduce((sum, { refused }) => sum + refused, 0),
  unclear: seen.reduce((sum, { unclear }) => sum + unclear, 0),
});

export const textOf = ({ done, refused, unclear }: Seen): string =>
  `${done} done, ${refused} answered 503 with Retry-After, ${unclear} repeated with their key`;
