import type { Caller } from '#accounts/access/authenticator.js';
import type { AdminAction } from '#core/records.js';
import * as fields from '#http/fields.js';

// Every correction says who made it and why; the trail of each bet that it moves shows both.

export const why = fields.line(1_000).nullish().meta({ description: 'Why; for readers of the trail.' });
export const whyExample = 'Entered by mistake';

export function actionOf({ account }: Caller, text: string | null | undefined): AdminAction {
  return { adminId: account.accountId, adminEmail: account.email, description: text ?? null };
}
