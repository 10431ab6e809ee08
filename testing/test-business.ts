import { createLedgerClient, type LedgerClient } from '#clients/typescript/client.js';
import { type Answer, type LoggedIn, logIn, register, registerAndLogIn, type TestClient } from './client.js';
import type { TestDatabase } from './databases.js';

export interface Money {
  readonly balance: number;
  readonly exposure: number;
}

/** The body of an answer that must be a success. */
export function ok({ status, body }: Answer, expected = 201): Answer['body'] {
  if (status !== expected) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A new user of the caller's account. */
export async function createUser(client: TestClient, body: object): Promise<{ id: number; reference: string }> {
  return ok(await client.post('/account/user', body)).data;
}

export interface ApiKeys {
  readonly base64: string;
  readonly key: string;
  readonly secret: string;
}

/** New keys of the account. They replace its earlier ones. */
export async function generateKeys({ client }: Pick<LoggedIn, 'client'>): Promise<ApiKeys> {
  const { base64_encoded, api_key, api_secret } = ok(await client.post('/auth/account/generate-keys')).data;
  return { base64: base64_encoded, key: api_key, secret: api_secret };
}

export const offer = (reference: string, amount: number, odds = 2, more: object = {}) => ({
  wager_reference: 'match',
  requesting_odds: odds,
  requesting_amount: amount,
  requesting_user_reference: reference,
  ...more,
});

export const acceptance = (reference: string, amount: number, more: object = {}) => ({
  wager_reference: 'match',
  maximum_odds: 10,
  accepting_amount: amount,
  accepting_user_reference: reference,
  ...more,
});

/**
 * A business with its bettors and one wager. Calls that must succeed use the typed client, as customers do; calls that may
 * be refused return the raw answer.
 */
export interface TestBusiness {
  readonly account: LoggedIn;
  readonly client: TestClient;
  readonly ledger: LedgerClient;
  user(reference: string, balance?: number): Promise<number>;
  moneyOf(reference: string): Promise<Money>;
  make(reference: string, amount: number, odds?: number, more?: object): Promise<Answer>;
  accept(reference: string, amount: number, more?: object): Promise<Answer>;
  cancel(reference: string, more: object): Promise<Answer>;
  decide(outcome: string, reference?: string): Promise<Answer>;
  override(betId: number, outcome: string): Promise<Answer>;
  /** An offer of the requester, wholly accepted by the acceptor; returns its id. */
  match(requester: string, acceptor: string, amount: number, odds?: number): Promise<number>;
  /** With its trails and their transactions. */
  bet(id: number): Promise<Answer['body']>;
}

/** The balance of each of its users, by their references. */
export type Users = Readonly<Record<string, number>>;

export async function openTestBusiness(api: TestClient, users: Users = {}): Promise<TestBusiness> {
  const account = await registerAndLogIn(api);
  const { client, token } = account;
  const ledger = createLedgerClient({ baseUrl: client.baseUrl, token });
  const business: TestBusiness = {
    account,
    client,
    ledger,
    async user(reference, balance = 1000) {
      const { id } = (await ledger.post('/account/user', { body: { name: reference, reference } })).data;
      if (balance > 0) await ledger.post('/transactions/fund-user', { body: { user_id: id, amount: balance } });
      return id;
    },
    async moneyOf(reference) {
      const path = { reference };
      const { balance, exposure } = (await ledger.get('/account/user/{reference}/reference', { params: { path } }))
        .data;
      return { balance, exposure };
    },
    make: (reference, amount, odds, more) => client.post('/bets/make-offer', offer(reference, amount, odds, more)),
    accept: (reference, amount, more) => client.post('/bets/accept-offer', acceptance(reference, amount, more)),
    cancel: (reference, more) =>
      client.post('/bets/cancel-offer', { requesting_user_reference: reference, wager_references: ['match'], ...more }),
    decide: (outcome, reference = 'match') => client.post('/bets/update-wager-outcome', { reference, outcome }),
    override: (betId, outcome) => client.post('/bets/override-outcome', { bet_id: betId, override_outcome: outcome }),
    async match(requester, acceptor, amount, odds = 2) {
      const { bet_id } = (await ledger.post('/bets/make-offer', { body: offer(requester, amount, odds) })).data;
      await ledger.post('/bets/accept-offer', { body: { ...acceptance(acceptor, amount), bet_id } });
      return bet_id;
    },
    async bet(id) {
      const params = { path: { id }, query: { include_bet_trails_transactions: true } };
      return (await ledger.get('/bets/{id}', { params })).data;
    },
  };
  for (const [reference, balance] of Object.entries(users)) await business.user(reference, balance);
  return business;
}

export async function accountOfUser(database: TestDatabase, userId: number): Promise<number> {
  const [row] = await database.query('SELECT account_id FROM users WHERE id = $1', [userId]);
  return Number(row?.account_id);
}

export type Admin = LoggedIn;

/** What a wager shows of its status until somebody changes it. */
export const NEW_WAGER_STATUS = {
  status: 'open',
  status_reason: null,
  closes_at: null,
  event: null,
  starts_at: null,
  revision: 0,
};

/** What an admin sees of an account. */
export const ADMIN_ACCOUNT_FIELDS = [
  'id',
  'name',
  'email',
  'role',
  'status',
  'email_verified_at',
  'email_proved_at',
  'api_key_generated_at',
  'preferences',
  'created_at',
  'updated_at',
];

/** Sets the role in the database, as `make-admin` does, before the first request with the token. */
export async function registerAdmin(api: TestClient, database: TestDatabase): Promise<Admin> {
  const account = await register(api);
  const [row] = await database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1 RETURNING id::int`, [
    account.email,
  ]);
  const token = await logIn(api, account);
  return { ...account, token, client: api.as({ token }), id: Number(row?.id) };
}

/** A batch of as many offers as one may have. */
export const offerBatch = (requesting_user_reference: string, wager_reference: string) => ({
  operations: Array.from({ length: 20 }, (_, index) => ({
    operation_type: 'make_bet_offer',
    operation_id: String(index),
    data: { requesting_user_reference, wager_reference, requesting_odds: 2, requesting_amount: 1 },
  })),
});
