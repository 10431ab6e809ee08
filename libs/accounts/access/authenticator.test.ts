import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenAccount, type Session, useAccounts } from '#testing/accounts-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { changeAccount } from '../accounts.js';
import { type NewKey, revokeApiKey } from '../api-keys.js';
import { logOut } from '../sessions.js';
import { type AccessChanges, listenForAccessChanges } from './access-changes.js';
import { type Authenticator, type Caller, createAuthenticator } from './authenticator.js';
import type { UsedCredential } from './credential-uses.js';

// Two processes that remember callers: one by the fixture's changes, the other by changes of its own.

interface Process {
  readonly changes: AccessChanges;
  readonly authenticator: Authenticator;
}

// Before the fixture's own, which drops the database.
afterAll(() => processes[1].changes.close());

const accounts = useAccounts();
const used: UsedCredential[] = [];
let processes: readonly [Process, Process];
let account: OpenAccount & Session;
let header: string;

const processOf = (changes: AccessChanges): Process => {
  const uses = { note: (use: UsedCredential) => void used.push(use), close: async () => undefined };
  return {
    changes,
    authenticator: createAuthenticator({
      database: accounts.database,
      changes,
      uses,
      needsFactor: { adminsNeedSecondFactor: true, allNeedSecondFactor: false },
    }),
  };
};

beforeAll(async () => {
  const { environment } = accounts;
  const other = await listenForAccessChanges(environment.database.url, environment.logger);
  processes = [processOf(accounts.changes), processOf(other)];
});

beforeEach(async () => {
  account = await accounts.registerAndLogIn();
  header = `Bearer ${account.token}`;
});

const isTrusted = ({ trustedUntilMs }: AccessChanges) => performance.now() < trustedUntilMs;

const remember = (verify: (authenticator: Authenticator) => Promise<Caller | undefined>, as = header) =>
  Promise.all(processes.map(({ authenticator }) => authenticator.remember(as, () => verify(authenticator))));
const rememberToken = () => remember(({ withToken }) => withToken(account.token));
const recalled = (as = header) => processes.map(({ authenticator }) => authenticator.recall(as)?.account.accountId);

describe('a caller that was verified', () => {
  it('is remembered by its header alone, and its use is noted once', async () => {
    used.length = 0;
    const [caller] = await rememberToken();
    expect(caller).toMatchObject({ account: { accountId: account.id, role: 'business' }, tokenId: account.tokenId });
    expect(recalled()).toEqual([account.id, account.id]);
    expect(recalled(`${header}s`)).toEqual([undefined, undefined]);
    expect(used).toEqual(Array(2).fill({ accountId: account.id, tokenId: account.tokenId, apiKeyId: undefined }));
  });

  it('is not remembered when it is none', async () => {
    used.length = 0;
    await remember(({ withToken }) => withToken(`1.${'a'.repeat(43)}`), 'none');
    await remember(({ withApiKey }) => withApiKey('no key', 'no secret'), 'none');
    expect([recalled('none'), used]).toEqual([[undefined, undefined], []]);
  });

  it('is forgotten when its time is over', async () => {
    await accounts.query(`UPDATE access_tokens SET expires_at = now() + interval '2 s' WHERE id = $1`, [
      account.tokenId,
    ]);
    // A process remembers no caller while it hears of the change.
    await waitFor(async () => {
      await rememberToken();
      return recalled().every((accountId) => accountId === account.id);
    });
    await waitFor(() => recalled().every((accountId) => accountId === undefined));
    expect(await processes[0].authenticator.withToken(account.token)).toBeUndefined();
  });

  it('is forgotten in every process when its session is answered to have ended', async () => {
    await rememberToken();
    await logOut(accounts.context, account, { id: account.tokenId, all: false });
    expect(recalled()).toEqual([undefined, undefined]);
  });

  it('is forgotten in every process when its key is revoked, and other accounts are not', async () => {
    const [key, other] = [await accounts.makeKey(account), await accounts.registerAndLogIn()];
    await remember(({ withToken }) => withToken(other.token), 'other');
    await remember(({ withApiKey }) => withApiKey(key.apiKey, key.apiSecret));
    expect(recalled()).toEqual([account.id, account.id]);
    await revokeApiKey(accounts.context, account.id, key.id);
    expect(recalled()).toEqual([undefined, undefined]);
    expect(recalled('other')).toEqual([other.id, other.id]);
  });

  it.each([
    ['its role', { role: 'admin' }],
    ['its status', { status: 'suspended' }],
    ['its name', { name: 'Renamed' }],
  ] as const)('is forgotten in every process when the account changes %s', async (_case, changes) => {
    await rememberToken();
    await changeAccount(accounts.context, account.id, changes);
    expect(recalled()).toEqual([undefined, undefined]);
    const [caller] = await rememberToken();
    expect(caller?.account).toMatchObject(changes);
  });

  it('is not remembered when the account changed while it was read', async () => {
    await remember(async ({ withToken }) => {
      const read = await withToken(account.token);
      await changeAccount(accounts.context, account.id, { name: 'Renamed' });
      return read;
    });
    expect(recalled()).toEqual([undefined, undefined]);
  });

  it('is forgotten after a change by SQL, which no process announces', async () => {
    await rememberToken();
    await accounts.query('DELETE FROM access_tokens WHERE id = $1', [account.tokenId]);
    await waitFor(() => recalled().every((caller) => caller === undefined));
  });
});

describe('a process that cannot hear of changes', () => {
  it('trusts nothing that it remembers, and begins from nothing when it hears again', async () => {
    await rememberToken();
    const told: unknown[] = [];
    processes[1].changes.onChange((accountId) => told.push(accountId));
    await accounts.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = 'betting-ledger-access' AND datname = current_database()`,
    );
    await waitFor(() => processes.every(({ changes }) => !isTrusted(changes)));
    expect(recalled()).toEqual([undefined, undefined]);
    await rememberToken();
    expect(recalled()).toEqual([undefined, undefined]);
    await waitFor(() => processes.every(({ changes }) => isTrusted(changes)));
    expect(recalled()).toEqual([undefined, undefined]);
    // Once when it lost the connection, and once when it had another.
    expect(told).toEqual([undefined, undefined]);
    await rememberToken();
    expect(recalled()).toEqual([account.id, account.id]);
  });
});

describe('a process that starts while PostgreSQL is away', () => {
  it('starts all the same, trusts nothing, and a change in it does not wait', async () => {
    const lost = await listenForAccessChanges('postgres://nobody@127.0.0.1:1/none', accounts.environment.logger);
    try {
      expect(isTrusted(lost)).toBe(false);
      const heard: unknown[] = [];
      lost.onChange((accountId) => heard.push(accountId));
      expect(await lost.announcing(7n, async () => 'changed')).toBe('changed');
      expect(heard).toEqual([7n]);
      await expect(lost.announcing(8n, () => Promise.reject(new Error('no change')))).rejects.toThrow('no change');
      expect(heard).toEqual([7n]);
    } finally {
      await lost.close();
    }
  });
});

describe('an operator', () => {
  const set = (change: string) => accounts.query(`UPDATE operators SET ${change} WHERE id = $1`, [account.operatorId]);
  const withToken = (token: string) => accounts.authenticator.withToken(token);
  const withApiKey = ({ apiKey, apiSecret }: NewKey) => accounts.authenticator.withApiKey(apiKey, apiSecret);

  it('gives its role to its sessions, and none above it to its keys', async () => {
    const key = await accounts.makeKey(account, { role: 'settler' });
    const rolesAfter = async (role: string) => {
      await set(`role = '${role}'`);
      return [(await withToken(account.token))?.role, (await withApiKey(key))?.role];
    };
    expect(await rolesAfter('owner')).toEqual(['owner', 'settler']);
    expect(await rolesAfter('trader')).toEqual(['trader', 'trader']);
    expect(await rolesAfter('approver')).toEqual(['approver', 'viewer']);
    expect((await withApiKey(key))?.storedActor).toBe(
      `key:${account.id}:${key.id}:${account.operatorId}:${encodeURIComponent(account.name)}`,
    );
  });

  it('opens nothing while it is suspended, in every process', async () => {
    const key = await accounts.makeKey(account);
    await rememberToken();
    await set(`state = 'suspended'`);
    await waitFor(() => recalled().every((accountId) => accountId === undefined));
    expect([await accounts.opens(account.token), await accounts.opens(key)]).toEqual([false, false]);
    await set(`state = 'active'`);
    expect([await accounts.opens(account.token), await accounts.opens(key)]).toEqual([true, true]);
  });

  it('keeps its cached credentials when its last log-in is noted', async () => {
    await rememberToken();
    await accounts.logIn(account);
    await remember(({ withToken: open }) => open(account.token), 'other');
    expect(recalled()).toEqual([account.id, account.id]);
  });
});
