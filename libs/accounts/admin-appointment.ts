import { type Database, withTx } from '#platform/database/database.js';
import { endAccess } from './access/end-access.js';
import { lockAccountByEmail, updateAccount } from './account-repository.js';
import { recordChanges } from './accounts.js';
import { causeOfCommand } from './events/account-event.js';

export interface AdminAppointment {
  readonly email: string;
  /** A person at the machine says that the account belongs to the owner of its e-mail address. */
  readonly isVouchedFor: boolean;
}

/**
 * Makes an account an admin, and ends all access that it granted before. A stranger may have registered the address and
 * made an API key: so the e-mail must be proved, and that key must not become an admin's.
 */
export async function appointAdmin(
  database: Database,
  { email, isVouchedFor }: AdminAppointment,
): Promise<'appointed' | 'unknown' | 'unproved'> {
  return withTx(database.shared, async (tx) => {
    const account = await lockAccountByEmail(tx, email);
    if (account === undefined || account.sandboxOf !== null) return 'unknown';
    if (account.emailProvedAt === null && !isVouchedFor) return 'unproved';
    await updateAccount(tx, account.id, { role: 'admin' });
    const cause = causeOfCommand('make-admin');
    await recordChanges(tx, cause, [
      {
        accountId: account.id,
        type: 'role-changed',
        before: { role: account.role },
        after: { role: 'admin', vouched: isVouchedFor },
      },
    ]);
    await endAccess(tx, account.id, cause);
    return 'appointed';
  });
}
