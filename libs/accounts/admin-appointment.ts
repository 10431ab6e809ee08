import { type Database, withTx } from '#platform/database/database.js';
import { endAccess } from './access/end-access.js';
import { lockAccount, updateAccount } from './account-repository.js';
import { recordChanges } from './accounts.js';
import { causeOfCommand } from './events/account-event.js';
import { findLoginByEmail } from './operators/operator-repository.js';

export interface AdminAppointment {
  readonly email: string;
  /** A person at the machine says that the account belongs to the operator of this e-mail address. */
  readonly isVouchedFor: boolean;
}

/**
 * Makes the account of an owner an admin: from then on its operators are admins as far as their roles go. It ends all access
 * that the account granted before. A stranger may have registered the address and made an API key: so the e-mail must be
 * proved, and that key must not become an admin's.
 */
export async function appointAdmin(
  database: Database,
  { email, isVouchedFor }: AdminAppointment,
): Promise<'appointed' | 'unknown' | 'no-owner' | 'unproved'> {
  return withTx(database.shared, async (tx) => {
    const operator = await findLoginByEmail(tx, email);
    const account = operator && (await lockAccount(tx, operator.accountId));
    if (operator === undefined || account === undefined) return 'unknown';
    if (operator.role !== 'owner') return 'no-owner';
    if (account.emailProvedAt === null && !isVouchedFor) return 'unproved';
    await updateAccount(tx, account.id, { role: 'admin' });
    const cause = causeOfCommand('make-admin');
    await recordChanges(tx, cause, [
      {
        accountId: account.id,
        type: 'role-changed',
        before: { role: account.role },
        after: { role: 'admin', vouched: isVouchedFor, operator_id: Number(operator.operatorId) },
      },
    ]);
    await endAccess(tx, account.id, cause);
    return 'appointed';
  });
}
