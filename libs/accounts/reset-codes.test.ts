import { beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf, type OpenAccount, refusalOf, useAccounts } from '#testing/accounts-fixture.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { type Deferred, deferred } from '#testing/deferred.js';
import { waitFor } from '#testing/wait-for.js';
import { createMailWork, type MailWork } from './mail/mail-work.js';
import type { Mail } from './mail/mailer.js';
import { createForgottenPassword, forgotPassword } from './password-changes.js';

// Which code is valid when the mails of several requests are retried and overtake one another. Each test does the worker's
// work on the outbox entries itself, in the order that it tests.

const accounts = useAccounts();
let account: OpenAccount;
let sent: Mail[];

beforeEach(async () => {
  sent = [];
  account = await accounts.register();
});

interface WorkOptions {
  /** Resolves `reached` before a new code is stored; storing then waits for `opened`. */
  readonly gate?: { readonly reached: Deferred; readonly opened: Deferred };
  /** Like a mail server that disconnects after it has taken the mail: the worker retries, though the mail arrived. */
  readonly failsAfterwards?: boolean;
}

function workWith({ gate, failsAfterwards = false }: WorkOptions = {}): MailWork {
  const { passwords } = accounts.context;
  return createMailWork({
    ...accounts.context,
    appUrl: 'http://ledger.test',
    passwords: {
      ...passwords,
      async hash(password) {
        gate?.reached.resolve();
        await gate?.opened.promise;
        return passwords.hash(password);
      },
    },
    mailer: {
      async send(mail) {
        sent.push(mail);
        if (failsAfterwards) throw new Error('connection lost');
      },
      close: () => undefined,
    },
  });
}

interface Request {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly isDone: boolean;
}

async function requests(): Promise<Request[]> {
  const rows = await accounts.query(
    `SELECT * FROM outbox WHERE account_id = $1 AND topic = 'password-reset-mail' ORDER BY id`,
    [account.id],
  );
  return rows.map(({ id, done_at }) => ({ accountId: account.id, id: BigInt(String(id)), isDone: done_at !== null }));
}

async function forgot(): Promise<Request> {
  await forgotPassword(accounts.context, account.email);
  const request = (await requests()).at(-1);
  if (request === undefined) throw new Error('no request was written');
  return request;
}

const sentCode = () => codeOf(sent.at(-1));

const create = (code: string) => {
  const forgotten = { email: account.email, code, newPassword: 'a new password', endsAccess: true };
  return refusalOf(createForgottenPassword(accounts.context, forgotten));
};

const hasLivingCode = async () =>
  (await accounts.query('SELECT 1 FROM reset_codes WHERE account_id = $1', [account.id])).length > 0;

describe('a request for a reset code', () => {
  it('is moot when a newer one exists: its retry leaves the newer code alone', async () => {
    const first = await forgot();
    const second = await forgot();
    await workWith()(second);
    await workWith()(first);
    expect(sent).toHaveLength(1);
    expect((await requests()).map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(await create(sentCode())).toBeUndefined();
  });

  it('is moot before the newer one is done, too', async () => {
    const first = await forgot();
    await forgot();
    await workWith()(first);
    expect(sent).toEqual([]);
    expect(await hasLivingCode()).toBe(false);
  });

  it('is moot, too, when the newer one comes while its own mail is being made', async () => {
    const gate = { reached: deferred(), opened: deferred() };
    const slow = workWith({ gate })(await forgot());
    await gate.reached.promise;
    await workWith()(await forgot());
    gate.opened.resolve();
    await slow;
    expect(sent).toHaveLength(1);
    expect(await create(sentCode())).toBeUndefined();
  });

  it('makes a new code when it is tried again itself', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    const lost = sentCode();
    await workWith()(request);
    expect(await create(lost)).toBe('reset-code-invalid');
    expect(await create(sentCode())).toBeUndefined();
  });
});

describe('setting a password with a code', () => {
  it('ends the requests that are still to be tried', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    expect(await create(sentCode())).toBeUndefined();
    expect((await requests()).map(({ isDone }) => isDone)).toEqual([true]);
    await workWith()(request);
    expect(sent).toHaveLength(1);
    expect(await hasLivingCode()).toBe(false);
  });

  it('ends a request whose mail is being made at that moment', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    const gate = { reached: deferred(), opened: deferred() };
    const retry = workWith({ gate })(request);
    await gate.reached.promise;
    expect(await create(sentCode())).toBeUndefined();
    gate.opened.resolve();
    await retry;
    expect(sent).toHaveLength(1);
    expect(await hasLivingCode()).toBe(false);
  });
});

describe('at the same time as a code is being stored', () => {
  const waiting = (count: number) =>
    waitFor(async () => (await countLockWaits(accounts.environment.database)) === count);

  it('a newer request ends that code', async () => {
    const first = await forgot();
    const otherCode = `INSERT INTO reset_codes (account_id, operator_id, code_hash, expires_at)
      VALUES (${first.accountId}, ${account.operatorId}, 'x', now())`;
    const running = await holding(accounts.environment.database, otherCode, async () => {
      const storing = workWith()(first);
      await waiting(1);
      const asking = forgot();
      await Promise.race([asking, waiting(2)]);
      return [storing, asking];
    });
    await Promise.all(running);
    expect(await hasLivingCode()).toBe(false);
  });

  it('the use of the code before it waits, and does not deadlock', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    const locked = `SELECT 1 FROM accounts WHERE id = ${request.accountId} FOR NO KEY UPDATE`;
    const [retry, creating] = await holding(accounts.environment.database, locked, async () => {
      const retrying = workWith()(request);
      await waiting(1);
      const using = create(sentCode());
      await waiting(2);
      return [retrying, using];
    });
    await retry;
    expect(await creating).toBe('reset-code-invalid');
    expect(await create(sentCode())).toBeUndefined();
  });
});
