import { describe, expect, it } from '@jest/globals';
import { type OpenAccount, refusalOf, type Session, useAccounts } from '#testing/accounts-fixture.js';
import { countLockWaits } from '#testing/databases.js';
import { waitFor } from '#testing/wait-for.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { endAccountAccess } from './accounts.js';
import { confirmEmail, findVerification, verifyEmail } from './email-proof.js';
import { createForgottenPassword } from './password-changes.js';
import { endSession } from './sessions.js';

// Every transaction locks an account before its credentials: otherwise two requests could deadlock, and one would fail.

const accounts = useAccounts();

/** What begins a change of the account, for which it is given what a mail brought. */
type Change = (account: OpenAccount & Session, mailed: string) => Promise<unknown>;

const changes: readonly (readonly [string, 'access_tokens' | 'verification_tokens' | 'reset_codes', Change])[] = [
  ['an API key is made', 'access_tokens', (account) => accounts.makeKey(account)],
  [
    'a session ends',
    'access_tokens',
    ({ id: accountId, tokenId }) => endSession(accounts.context, { accountId, tokenId, operatorId: undefined }),
  ],
  ['all access ends', 'access_tokens', ({ id }) => endAccountAccess(accounts.context, id)],
  ['an e-mail is verified', 'verification_tokens', (_, token) => verifyEmail(accounts.context, token)],
  [
    'an e-mail is proved',
    'verification_tokens',
    async ({ password }, token) =>
      confirmEmail(accounts.context, await findVerification(accounts.context, token), password),
  ],
  [
    'a password is recovered',
    'reset_codes',
    ({ email }, code) =>
      createForgottenPassword(accounts.context, { email, code, newPassword: 'a new password', endsAccess: false }),
  ],
];

describe('beside a transaction that locks the account and then its credentials', () => {
  it.each(changes)('%s', async (_case, table, change) => {
    const account = await accounts.registerAndLogIn();
    const mailed = table === 'reset_codes' ? await accounts.resetCode(account) : await accounts.linkToken(account);
    await withPostgresClient({ connectionString: accounts.environment.database.url }, async (other) => {
      await other.query('BEGIN');
      await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [account.id]);
      const changing = refusalOf(change(account, mailed));
      await waitFor(async () => (await countLockWaits(accounts.environment.database)) > 0);
      await other.query(`UPDATE ${table} SET expires_at = expires_at WHERE account_id = $1`, [account.id]);
      await other.query('COMMIT');
      expect(await changing).toBeUndefined();
    });
  });
});
