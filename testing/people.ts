import { beforeEach } from '@jest/globals';
import { createAccountToken } from '#accounts/access/secrets.js';
import { inventAccount, type LoggedIn, logIn, registerAndLogIn, type TestClient } from './client.js';
import type { TestDatabase } from './databases.js';
import type { ReceivedMail } from './mails.js';
import { ok } from './test-business.js';
import type { TestApi } from './with-test-api.js';

// The people of an account.

export const INVITED = 'You are invited to Betting Ledger';
export const invitationTokenIn = ({ raw }: ReceivedMail) => /^(\d+\.[\w-]{43})\s*$/m.exec(raw)?.[1] ?? '';

export type MailTo = (to: { readonly email: string }, subject: string, count?: number) => Promise<ReceivedMail>;

export interface TestPerson {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export const inventPerson = (role = 'trader') => ({ email: inventAccount().email, name: `A ${role}`, role });

/** Invites a person, who accepts. A worker must run. */
export async function joinAs(owner: TestClient, role: string, mailTo: MailTo): Promise<TestPerson> {
  const invited = inventPerson(role);
  const { id } = ok(await owner.post('/operators', invited)).data;
  const token = invitationTokenIn(await mailTo(invited, INVITED));
  const password = `right horse ${id}`;
  ok(await owner.as(undefined).post('/operators/accept-invitation', { token, password }), 200);
  return { id, name: invited.name, email: invited.email, password };
}

interface QuickPerson {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

/** Inserts an active person with a session, and without a usable password. */
export async function createPerson(
  database: Pick<TestDatabase, 'query'>,
  accountId: number,
  role: string,
  name = inventPerson(role).name,
): Promise<QuickPerson> {
  const { email } = inventAccount();
  const { token, hash } = createAccountToken(BigInt(accountId));
  const [row] = await database.query(
    `WITH made AS (
       INSERT INTO operators (account_id, name, email, role) VALUES ($1, $2, $3, $4) RETURNING account_id, id)
     INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at)
     SELECT account_id, id, $5, now() + interval '1 hour' FROM made RETURNING operator_id::int AS id`,
    [accountId, name, email, role, hash],
  );
  return { id: Number(row?.id), email, token };
}

/** The same, with its client and its name; an owner, unless asked otherwise. */
export async function addPerson(
  database: Pick<TestDatabase, 'query'>,
  client: TestClient,
  { accountId, role = 'owner', name = 'Bea' }: { accountId: number; role?: string; name?: string },
) {
  const person = await createPerson(database, accountId, role, name);
  return { ...person, name, client: client.as({ token: person.token }) };
}

export type AddedPerson = Awaited<ReturnType<typeof addPerson>>;

interface NamedEvent {
  readonly type: string;
  readonly before: object;
  readonly after: object;
  readonly actor: object;
}

/** A new account before each test, and the calls that manage its people. A worker must run. */
export function withFreshOwner(api: TestApi) {
  const account = {} as LoggedIn;
  beforeEach(async () => {
    Object.assign(account, await registerAndLogIn(api.client));
  });
  const mailTo: MailTo = (...args) => api.mailTo(...args);
  return {
    account,
    mailTo,
    join: (role: string) => joinAs(account.client, role, mailTo),
    loggedIn: async (person: TestPerson) => api.client.as({ token: await logIn(api.client, person) }),
    invite: async (person = inventPerson()) => ({
      ...person,
      ...ok(await account.client.post('/operators', person)).data,
    }),
    tokenFor: async (person: { email: string }, count = 1) => invitationTokenIn(await mailTo(person, INVITED, count)),
    accept: (token: string, password = 'right horse') =>
      api.client.post('/operators/accept-invitation', { token, password }),
    change: (id: number, body: object) => account.client.patch(`/operators/${id}`, body),
    listed: async () => ok(await account.client.get('/operators'), 200).data,
    eventsOf: async (query = ''): Promise<NamedEvent[]> =>
      ok(await account.client.get(`/account-events?per_page=100&${query}`), 200).data,
    shown: ({ status, body }: { status: number; body: object }) => [status, body],
  };
}
