import type { Outcome } from '#core/outcome.js';
import type { AcceptOffer, Operation, Step } from './steps.js';

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

const PATHS = {
  make_bet_offer: '/bets/make-offer',
  accept_bet_offer: '/bets/accept-offer',
  cancel_bet_offer: '/bets/cancel-offer',
} as const satisfies Record<Operation['operation_type'], string>;

const PER_PAGE = 100;

export class DemoApi {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async register(account: Credentials): Promise<void> {
    await this.#post('/auth/register/account', account);
  }

  async logIn({ email, password }: Credentials): Promise<DemoApi> {
    const { data } = await this.#post<{ data: { token: string } }>('/auth/login/account', { email, password });
    return new DemoApi({ ...this.#connection, token: data.token });
  }

  async accountId(): Promise<number> {
    return (await this.#get<{ data: { id: number } }>('/auth/account/me')).data.id;
  }

  async createUser(user: { readonly name: string; readonly reference: string }): Promise<void> {
    await this.#post('/account/user', user);
  }

  async fund(reference: string, amount: number): Promise<void> {
    await this.#post('/transactions/fund-user', { user_reference: reference, amount });
  }

  async withdraw(reference: string, amount: number): Promise<void> {
    await this.#post('/transactions/withdraw', { user_reference: reference, amount });
  }

  /** What was matched by it. */
  async take(step: Step): Promise<readonly Match[]> {
    const [first, ...others] = step;
    if (others.length > 0) {
      const operations = step.map((operation, index) => ({ ...operation, operation_id: String(index + 1) }));
      await this.#post('/bets/batch', { operations });
      return [];
    }
    const { data } = await this.#post<{ data: readonly Match[] }>(PATHS[first.operation_type], first.data);
    return isAcceptance(first) ? data : [];
  }

  async decide(reference: string, outcome: Outcome): Promise<void> {
    await this.#post('/bets/update-wager-outcome', { reference, outcome });
  }

  async override(betId: number, outcome: Outcome): Promise<void> {
    await this.#post('/bets/override-outcome', { bet_id: betId, override_outcome: outcome });
  }

  /** For admins. */
  async correct(correction: Correction): Promise<void> {
    await this.#post('/admin/wagers/force-update-outcome', correction);
  }

  async settlementOf(reference: string): Promise<SettlementState> {
    const path = `/wagers/${encodeURIComponent(reference)}`;
    return (await this.#get<{ data: { settlement: SettlementState } }>(path)).data.settlement;
  }

  async users(): Promise<readonly ListedUser[]> {
    const path = `/account/user?per_page=${PER_PAGE}`;
    return (await this.#get<{ data: { items: ListedUser[] } }>(path)).data.items;
  }

  async *transactions(): AsyncGenerator<ListedTransaction> {
    for (let [page, lastPage] = [1, 1]; page <= lastPage; page += 1) {
      const path = `/transactions?per_page=${PER_PAGE}&page=${page}`;
      const list = await this.#get<{ data: ListedTransaction[]; last_page: number }>(path);
      yield* list.data;
      lastPage = list.last_page;
    }
  }

  #get<Answer>(path: string): Promise<Answer> {
    return this.#call<Answer>('GET', path, undefined);
  }

  #post<Answer>(path: string, body: object): Promise<Answer> {
    return this.#call<Answer>('POST', path, body);
  }

  async #call<Answer>(method: string, path: string, body: object | undefined): Promise<Answer> {
    const { apiUrl, token, stopping } = this.#connection;
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      signal: stopping,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
      throw new FailedCall(`${method} ${path} found no answer: ${error.cause?.code ?? error.message}`);
    });
    const text = await response.text();
    if (!response.ok) throw new FailedCall(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }
}

const isAcceptance = (operation: Operation): operation is AcceptOffer =>
  operation.operation_type === 'accept_bet_offer';
