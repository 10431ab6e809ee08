import type { Caller } from '#accounts/access/authenticator.js';
import type { AdminAction } from '#core/admin-action.js';
import * as fields from '#http/fields.js';

// What the corrections of an admin share: why, and by whom. The trail of every bet that moves says so.

export const description = fields.line(1_000).nullish().meta({ description: 'Why; for whoever reads the trail.' });
export const whyExample = 'Entered by mistake';

export function actionOf({ account }: Caller, text: string | null | undefined): AdminAction {
  return { adminId: account.accountId, adminEmail: account.email, description: text ?? null };
}
