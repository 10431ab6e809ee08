import {
  type components,
  createLedgerClient,
  type FollowOptions,
  type LedgerClient,
  LedgerError,
  type LedgerEvent,
  LedgerUnreachable,
} from '#clients/typescript/client.js';
import type { Outcome } from '#core/records.js';
import type { BettorRequest, Operation } from './bettor-requests.js';

// The calls of the evening, made by the client that a business would use.

type Schemas = components['schemas'];

export interface Credentials {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The bets of planned offers, by the offers' numbers: known once the API has answered. */
export type BetIds = Map<number, number>;

export interface Connection {
  readonly apiUrl: string;
  readonly token?: string;
  /** Aborts calls in progress. */
  readonly stopping: AbortSignal;
}

/** A call that failed. Its message names the endpoint, so it is printed without a stack. */
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
      allowHttp: true, // the demo's ledger runs on this machine
      fetch: (request) => {
        stopping.throwIfAborted();
        return fetch(request, { signal: AbortSignal.any([stopping, request.signal]) });
      },
    });
  }

  async register(account: Credentials): Promise<void> {
    await expectSuccess(this.#client.post('/auth/register/account', { body: account }));
  }

  async logIn({ email, password }: Credentials): Promise<DemoApi> {
    const { data } = await expectSuccess(this.#client.post('/auth/login/account', { body: { email, password } }));
    return new DemoApi({ ...this.#connection, token: data.token });
  }

  async accountId(): Promise<number> {
    return (await expectSuccess(this.#client.get('/auth/account/me'))).data.id;
  }

  async createUser(user: { readonly name: string; readonly reference: string }): Promise<void> {
    await expectSuccess(this.#client.post('/account/user', { body: user }));
  }

  async fund(reference: string, amount: number): Promise<void> {
    await expectSuccess(this.#client.post('/transactions/fund-user', { body: { user_reference: reference, amount } }));
  }

  async withdraw(reference: string, amount: number): Promise<void> {
    await expectSuccess(this.#client.post('/transactions/withdraw', { body: { user_reference: reference, amount } }));
  }

  /** Makes the wager, as one of those on the game. */
  async label(reference: string, event: string): Promise<void> {
    await expectSuccess(this.#client.put('/wagers/{reference}', { params: { path: { reference } }, body: { event } }));
  }

  /** Sends a request of a bettor, and returns the amount that it matched. */
  async send(request: BettorRequest, betIds: BetIds): Promise<number> {
    const [{ offer }, ...others] = request;
    if (others.length > 0) {
      await this.#sendBatch(request, betIds);
      return 0;
    }
    const operation = withBetId(request[0], betIds);
    switch (operation.operation_type) {
      case 'make_bet_offer': {
        const { data } = await expectSuccess(this.#client.post('/bets/make-offer', { body: operation.data }));
        betIds.set(offer, data.bet_id);
        return 0;
      }
      case 'accept_bet_offer': {
        const { data } = await expectSuccess(this.#client.post('/bets/accept-offer', { body: operation.data }));
        for (const { bet_id } of data) betIds.set(offer, bet_id);
        return data.reduce((sum, { accepted_amount }) => sum + accepted_amount, 0);
      }
      case 'cancel_bet_offer': {
        await expectSuccess(this.#client.post('/bets/cancel-offer', { body: operation.data }));
        return 0;
      }
    }
  }

  async #sendBatch(request: BettorRequest, betIds: BetIds): Promise<void> {
    const operations = request.map((operation, index) => ({
      ...withBetId(operation, betIds),
      operation_id: String(index + 1),
    }));
    const { results } = await expectSuccess(this.#client.post('/bets/batch', { body: { operations } }));
    for (const [index, result] of results.entries()) {
      const offer = request[index]?.offer;
      if (result.operation_type === 'make_bet_offer' && offer !== undefined) betIds.set(offer, result.data.bet_id);
    }
  }

  async decide(reference: string, outcome: Outcome): Promise<void> {
    await expectSuccess(this.#client.post('/bets/update-wager-outcome', { body: { reference, outcome } }));
  }

  async override(betId: number, outcome: Outcome): Promise<void> {
    await expectSuccess(
      this.#client.post('/bets/override-outcome', { body: { bet_id: betId, override_outcome: outcome } }),
    );
  }

  /** Only an admin may call this. */
  async correct(correction: Schemas['ForceOutcome']): Promise<void> {
    await expectSuccess(this.#client.post('/admin/wagers/force-update-outcome', { body: correction }));
  }

  async settlementOf(reference: string) {
    const { data } = await expectSuccess(this.#client.get('/wagers/{reference}', { params: { path: { reference } } }));
    return data.settlement;
  }

  async users(): Promise<readonly Schemas['User'][]> {
    const { data } = await expectSuccess(
      this.#client.get('/account/user', { params: { query: { per_page: PER_PAGE } } }),
    );
    return data.items;
  }

  /** From before the first payment. */
  async *statement(reference: string): AsyncGenerator<Schemas['StatementLine']> {
    try {
      yield* this.#client.users.statement({ reference });
    } catch (error) {
      throw asFailedCall(error);
    }
  }

  /** The end of the event log. */
  async headOfLog(): Promise<string> {
    return (await expectSuccess(this.#client.get('/events', { params: { query: { per_page: 1 } } }))).head;
  }

  /** The events after this position as they come. */
  follow(after: string, options: FollowOptions): AsyncGenerator<LedgerEvent> {
    return this.#client.events.follow({ after }, options);
  }

  async *transactions(): AsyncGenerator<Schemas['Transaction']> {
    try {
      yield* this.#client.transactions.list();
    } catch (error) {
      throw asFailedCall(error);
    }
  }
}

async function expectSuccess<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw asFailedCall(error);
  }
}

const asFailedCall = (error: unknown): unknown =>
  error instanceof LedgerError || error instanceof LedgerUnreachable
    ? new FailedCall(error.message, { cause: error })
    : error;

/** The operation as the API takes it. */
function withBetId(operation: Operation, betIds: BetIds) {
  const { operation_type, offer } = operation;
  if (operation_type === 'make_bet_offer') return { operation_type, data: operation.data };
  const betId = betIds.get(offer);
  if (betId === undefined) throw new Error(`offer ${offer} is named before it is made`);
  return operation_type === 'accept_bet_offer'
    ? { operation_type, data: { ...operation.data, bet_id: betId } }
    : { operation_type, data: { ...operation.data, bet_id: betId } };
}
