import { type Database, withTx } from '#platform/database/database.js';
import { deleteAccessTokens } from './access/access-repository.js';
import { deleteApiKeys, lockAccountByEmail, updateAccount } from './account-repository.js';

export interface AdminAppointment {
  readonly email: string;
  /** A person at the machine says that the account belongs to the owner of its e-mail address. */
  readonly isVouchedFor: boolean;
}

/**
 * Makes an account an admin, and ends all access that it granted before. A stranger may have registered the address and
 * made an API key: so the e-mail must be verified, and that key must not become an admin's.
 */
export async function appointAdmin(
  database: Database,
  { email, isVouchedFor }: AdminAppointment,
): Promise<'appointed' | 'unknown' | 'unverified'> {
  return withTx(database, async (tx) => {
    const account = await lockAccountByEmail(tx, email);
    if (account === undefined) return 'unknown';
    if (account.emailVerifiedAt === null && !isVouchedFor) return 'unverified';
    await updateAccount(tx, account.id, { role: 'admin' });
    await deleteAccessTokens(tx, account.id);
    await deleteApiKeys(tx, account.id);
    return 'appointed';
  });
}
