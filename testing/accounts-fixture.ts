import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { type AccessChanges, listenForAccessChanges } from '#accounts/access/access-changes.js';
import { type Authenticator, createAuthenticator } from '#accounts/access/authenticator.js';
import { SERVICE } from '#accounts/access/fair-line.js';
import { createPasswords } from '#accounts/access/passwords.js';
import type { HashingContext } from '#accounts/accounts-context.js';
import { createApiKey, type KeyRequest, type NewKey } from '#accounts/api-keys.js';
import { UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import type { WrongLogin } from '#accounts/events/wrong-logins.js';
import { createMailWork } from '#accounts/mail/mail-work.js';
import type { Mail } from '#accounts/mail/mailer.js';
import { forgotPassword } from '#accounts/password-changes.js';
import { registerAccount } from '#accounts/registration.js';
import { logIn } from '#accounts/sessions.js';
import type { OutboxTopic } from '#jobs/outbox.js';
import { connectDatabase, type Database, withTx } from '#platform/database/database.js';
import { createJoinedRuns } from '#platform/process/joined-runs.js';
import { createSealedBox } from '#platform/secrets/sealed-box.js';
import { inventAccount, type TestAccount } from './client.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';

const COST = 4;
const TOKEN_LIFE_MS = 86_400_000;
const CAUSE = { actor: UNKNOWN_ACTOR, address: '192.0.2.1', requestId: 'request' } as const;
const CONNECTIONS = 8;

export interface OpenAccount extends TestAccount {
  readonly id: bigint;
  readonly operatorId: bigint;
}

export interface Session {
  readonly accountId: bigint;
  readonly operatorId: bigint;
  readonly token: string;
  readonly tokenId: bigint;
}

type Named = Pick<OpenAccount, 'id'>;

export const linkTokenOf = (mail: Mail | undefined) =>
  /verify-email\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
export const codeOf = (mail: Mail | undefined) => /^\d{8}$/m.exec(mail?.text ?? '')?.[0] ?? '';

/** The code of the refusal that the work ends with; undefined when it ends well. */
export const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error.code ?? error,
  );

/** The services of accounts as a process has them. No worker runs: a test does the work on mails itself. */
class AccountsFixture {
  environment!: TestEnvironment;
  database!: Database;
  changes!: AccessChanges;
  authenticator!: Authenticator;
  context!: HashingContext;
  /** The wrong logins so far. */
  readonly wrongLogins: WrongLogin[] = [];
  readonly #passwords = createPasswords(COST);

  async open(): Promise<void> {
    this.environment = await createTestEnvironment();
    const { url } = this.environment.database;
    const database = await connectDatabase({ url, connections: CONNECTIONS, onConnectionError: () => undefined });
    this.database = database;
    this.changes = await listenForAccessChanges(url, this.environment.logger);
    const parts = { database, changes: this.changes, now: () => new Date() };
    const uses = { note: () => undefined, close: async () => undefined };
    this.authenticator = createAuthenticator({
      ...parts,
      uses,
      needsFactor: { adminsNeedSecondFactor: true, allNeedSecondFactor: false },
    });
    this.context = {
      ...parts,
      tables: database.shared,
      transact: (use) => withTx(database.shared, use),
      resetRequests: createJoinedRuns(),
      relaySoon: () => undefined,
      wrongLogins: { note: (login) => void this.wrongLogins.push(login), close: async () => undefined },
      accessTokenTtlMs: TOKEN_LIFE_MS,
      factorBox: createSealedBox([randomBytes(32)]),
      cause: CAUSE,
      passwords: this.#passwords.for(SERVICE),
    };
  }

  async close(): Promise<void> {
    await this.#passwords.close();
    await this.changes?.close();
    await this.database?.disconnect();
    await this.environment?.close();
  }

  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return this.environment.database.query(sql, values);
  }

  /** The context of a process whose clock is so much later. */
  later(ms: number): HashingContext {
    return { ...this.context, now: () => new Date(Date.now() + ms) };
  }

  async register(account = inventAccount()): Promise<OpenAccount> {
    const id = await registerAccount(this.context, { ...account, network: '192.0.2.0/24' });
    const [row] = await this.query('SELECT id FROM operators WHERE account_id = $1', [id]);
    return { ...account, id, operatorId: BigInt(String(row?.id)) };
  }

  async logIn({ id, operatorId, email, password }: OpenAccount, given = password): Promise<Session> {
    const token = await logIn(this.context, { email, password: given });
    if (token === undefined) throw new Error('the login was refused');
    const [row] = await this.query('SELECT max(id) AS id FROM access_tokens WHERE account_id = $1', [id]);
    return { accountId: id, operatorId, token, tokenId: BigInt(String(row?.id)) };
  }

  async registerAndLogIn(): Promise<OpenAccount & Session> {
    const account = await this.register();
    return { ...account, ...(await this.logIn(account)) };
  }

  async makeKey(
    { accountId, operatorId, tokenId }: Session,
    request: Partial<Omit<KeyRequest, 'operatorId'>> = {},
  ): Promise<NewKey> {
    const usual = { name: 'default', role: 'owner' as const, expiresAt: null, replaces: true, provenHash: undefined };
    const key = await createApiKey(this.context, { accountId, operatorId, tokenId, ...usual, ...request });
    if (key === undefined) throw new Error('the session has ended');
    return key;
  }

  /** Whether the token or the API key opens the account, without any cache. */
  async opens(credential: string | NewKey): Promise<boolean> {
    const { withToken, withApiKey } = this.authenticator;
    if (typeof credential === 'string') return (await withToken(credential)) !== undefined;
    return (await withApiKey(credential.apiKey, credential.apiSecret)) !== undefined;
  }

  /** Sends the newest mail of the topic that was asked for, and returns it; undefined when it was moot. */
  async sendMail({ id }: Named, topic: OutboxTopic): Promise<Mail | undefined> {
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail), close: () => undefined };
    const work = createMailWork({ ...this.context, mailer, appUrl: 'http://ledger.test' });
    const [row] = await this.query('SELECT max(id) AS id FROM outbox WHERE account_id = $1 AND topic = $2', [
      id,
      topic,
    ]);
    await work({ accountId: id, id: BigInt(String(row?.id)) });
    return sent[0];
  }

  async linkToken(account: Named): Promise<string> {
    return linkTokenOf(await this.sendMail(account, 'verification-mail'));
  }

  /** Asks for a reset code. */
  async resetCode(account: OpenAccount): Promise<string> {
    await forgotPassword(this.context, account.email);
    return codeOf(await this.sendMail(account, 'password-reset-mail'));
  }

  /** The columns of the account's row. */
  async rowOf({ id }: Named): Promise<Record<string, unknown>> {
    return (await this.query('SELECT * FROM accounts WHERE id = $1', [id]))[0] ?? {};
  }

  async passwordHashOf({ operatorId }: Pick<OpenAccount, 'operatorId'>): Promise<string> {
    const [row] = await this.query('SELECT password_hash FROM operators WHERE id = $1', [operatorId]);
    return String(row?.password_hash);
  }

  async changeHash({ operatorId }: Pick<OpenAccount, 'operatorId'>): Promise<void> {
    await this.query(`UPDATE operators SET password_hash = 'changed' WHERE id = $1`, [operatorId]);
  }

  /** Its events, the oldest first. */
  eventsOf({ id }: Named): Promise<Record<string, unknown>[]> {
    const shown = 'type, actor, address, before, after, request_id';
    return this.query(`SELECT ${shown} FROM account_events WHERE account_id = $1 ORDER BY id`, [id]);
  }

  async typesOf(account: Named): Promise<unknown[]> {
    return (await this.eventsOf(account)).map(({ type }) => type);
  }

  /** The topics of its outbox entries, the oldest first. */
  async mailsOf({ id }: Named): Promise<unknown[]> {
    const rows = await this.query('SELECT topic FROM outbox WHERE account_id = $1 ORDER BY id', [id]);
    return rows.map(({ topic }) => topic);
  }
}

/** Opens the services before the first test of a file, and closes them after the last test. */
export function useAccounts(): AccountsFixture {
  const accounts = new AccountsFixture();
  beforeAll(() => accounts.open());
  afterAll(() => accounts.close());
  return accounts;
}
