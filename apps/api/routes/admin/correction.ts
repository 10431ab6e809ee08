import type { Caller } from '#accounts/access/authenticator.js';
import type { Account } from '#accounts/account.js';
import type { AdminAction } from '#core/records.js';
import * as fields from '#http/fields.js';
import type { EndpointCall } from '../../endpoint.js';

// Every correction says who made it and why; the trail of each bet that it moves shows both.

export const why = fields.line(1_000).nullish().meta({ description: 'Why; for readers of the trail.' });
export const whyExample = 'Entered by mistake';

interface Correcting {
  readonly caller: Caller;
  readonly call: EndpointCall;
  readonly account: Pick<Account, 'id' | 'preferences'>;
  readonly action: AdminAction;
}

/** The people of the account may want to approve what an admin corrects. */
export const guardedCorrection = ({ caller, call, account, action }: Correcting) => ({
  caller,
  call,
  accountId: account.id,
  approvals: account.preferences.approvals,
  action,
});

export function actionOf({ account }: Caller, text: string | null | undefined): AdminAction {
  return { adminId: account.accountId, adminEmail: account.email, description: text ?? null };
}
