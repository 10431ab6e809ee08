import { createLedgerClient, type LedgerClient, LedgerError, LedgerUnreachable } from '#clients/typescript/client.js';
import type { Outcome } from '#core/outcome.js';
import type { Step } from './steps.js';

// The calls of the evening, as any program of a business would make them.

export interface Credentials {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface Match {
  readonly bet_id: number;
  readonly accepted_amount: number;
}

export interface SettlementState {
  readonly bets: number;
  readonly settled: number;
  readonly state: 'undecided' | 'settling' | 'settled';
}

export interface ListedUser {
  readonly reference: string;
  readonly balance: number;
  readonly exposure: number;
}

export interface ListedTransaction {
  readonly user_reference: string;
  readonly amount: number;
  readonly transaction_type: 'credit' | 'debit' | 'no-action';
  readonly transaction_source: 'funding' | 'withdrawal' | 'bet';
}

export interface Correction {
  readonly account_id: number;
  readonly wager_reference: string;
  readonly outcome: Outcome;
  readonly description: string;
}

export interface Connection {
  readonly apiUrl: string;
  readonly token?: string;
  /** Ends calls that are under way. */
  readonly stopping: AbortSignal;
}

/** A call that did not succeed: what was called says enough, whatever the stack. */
export class FailedCall extends Error {}

const PER_PAGE = 100;

export class DemoApi {
  readonly #connection: Connection;
  readonly #client: LedgerClient;

  constructor(connection: Connection) {
    const { apiUrl: baseUrl, token, stopping } = connection;
    this.#connection = connection;
    const credential = token === undefined ? {} : { token };
    this.#client = createLedgerClient({
      ...credential,
      baseUrl,
      fetch: (request) => {
        stopping.throwIfAborted();
        return fetch(request, { signal: AbortSignal.any([stopping, request.signal]) });
      },
    });
  }

  async register(account: Credentials): Promise<void> {
    await told(this.#client.post('/auth/register/account', { body: account }));
  }

  async logIn({ email, password }: Credentials): Promise<DemoApi> {
    const { data } = await told(this.#client.post('/auth/login/account', { body: { email, password } }));
    return new DemoApi({ ...this.#connection, token: data.token });
  }

  async accountId(): Promise<number> {
    return (await told(this.#client.get('/auth/account/me'))).data.id;
  }

  async createUser(user: { readonly name: string; readonly reference: string }): Promise<void> {
    await told(this.#client.post('/account/user', { body: user }));
  }

  async fund(reference: string, amount: number): Promise<void> {
    await told(this.#client.post('/transactions/fund-user', { body: { user_reference: reference, amount } }));
  }

  async withdraw(reference: string, amount: number): Promise<void> {
    await told(this.#client.post('/transactions/withdraw', { body: { user_reference: reference, amount } }));
  }

  /** What was matched by it. */
  async take(step: Step): Promise<readonly Match[]> {
    const [first, ...others] = step;
    if (others.length > 0) {
      const operations = step.map((operation, index) => ({ ...operation, operation_id: String(index + 1) }));
      await told(this.#client.post('/bets/batch', { body: { operations } }));
      return [];
    }
    switch (first.operation_type) {
      case 'make_bet_offer':
        await told(this.#client.post('/bets/make-offer', { body: first.data }));
        return [];
      case 'accept_bet_offer':
        return (await told(this.#client.post('/bets/accept-offer', { body: first.data }))).data;
      case 'cancel_bet_offer':
        await told(this.#client.post('/bets/cancel-offer', { body: first.data }));
        return [];
    }
  }

  async decide(reference: string, outcome: Outcome): Promise<void> {
    await told(this.#client.post('/bets/update-wager-outcome', { body: { reference, outcome } }));
  }

  async override(betId: number, outcome: Outcome): Promise<void> {
    await told(this.#client.post('/bets/override-outcome', { body: { bet_id: betId, override_outcome: outcome } }));
  }

  /** For admins. */
  async correct(correction: Correction): Promise<void> {
    await told(this.#client.post('/admin/wagers/force-update-outcome', { body: correction }));
  }

  async settlementOf(reference: string): Promise<SettlementState> {
    const { data } = await told(this.#client.get('/wagers/{reference}', { params: { path: { reference } } }));
    return data.settlement;
  }

  async users(): Promise<readonly ListedUser[]> {
    const { data } = await told(this.#client.get('/account/user', { params: { query: { per_page: PER_PAGE } } }));
    return data.items;
  }

  async *transactions(): AsyncGenerator<ListedTransaction> {
    for (let [page, lastPage] = [1, 1]; page <= lastPage; page += 1) {
      const query = { per_page: PER_PAGE, page };
      const list = await told(this.#client.get('/transactions', { params: { query } }));
      yield* list.data;
      lastPage = list.last_page;
    }
  }
}

async function told<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof LedgerError || error instanceof LedgerUnreachable) {
      throw new FailedCall(error.message, { cause: error });
    }
    throw error;
  }
}
