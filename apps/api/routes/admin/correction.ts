import type { Caller } from '#accounts/access/authenticator.js';
import { readAccount } from '#accounts/accounts.js';
import type { AdminAction } from '#core/records.js';
import * as fields from '#http/fields.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { executeOrAsk, type Guarded } from '../../guards/approval.js';
import type { ApiServices } from '../../services.js';

// Every correction says who made it and why; the trail of each bet that it moves shows both.

export const why = fields.line(1_000).nullish().meta({ description: 'Why; for readers of the trail.' });
export const whyExample = 'Entered by mistake';

export function actionOf({ account }: Caller, text: string | null | undefined): AdminAction {
  return { adminId: account.accountId, adminEmail: account.email, description: text ?? null };
}

interface Correction<Answer, Body extends object> extends Pick<Guarded, 'kind' | 'operation'> {
  /** Finds the account whose ledger is corrected. */
  readonly accountId: () => Promise<bigint>;
  readonly given: { readonly bet_id?: number; readonly description?: string | null | undefined };
  readonly present: (answer: Answer) => Body;
}

/** The people of the account may want to approve what an admin corrects. */
export async function correctLedger<Answer, Body extends object>(
  { caller, call }: Pick<Guarded, 'caller' | 'call'>,
  services: ApiServices,
  { accountId, present, ...correction }: Correction<Answer, Body>,
) {
  const { shared } = services.database;
  const account = await lookUpOnce(shared, call.idempotency, async () => readAccount(shared, await accountId()));
  if (account instanceof Replayed) return account;
  const { approvals } = account.preferences;
  const action = actionOf(caller, correction.given.description);
  return executeOrAsk(services, { caller, call, accountId: account.id, approvals, action, ...correction }, present);
}
