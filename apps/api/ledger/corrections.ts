import { z } from 'zod';
import type { Caller } from '#access/authenticator.js';
import type { AdminAction } from '#core/admin-action.js';
import { outcomes } from '#core/outcome.js';
import * as fields from '#http/fields.js';

// The bodies of an admin's corrections, and who corrects: the trail of every bet that moves says so.

/** Why; for whoever reads the trail. */
const description = fields.line(1_000).nullish();

export const forceOutcomeBody = z.strictObject({
  account_id: fields.id,
  wager_reference: fields.reference,
  outcome: z.enum(outcomes),
  description,
});

export const forceOverrideBody = z.strictObject({
  account_id: fields.id,
  bet_id: fields.id,
  override_outcome: z.enum(outcomes).nullish(),
  description,
});

export const setActiveBody = z.strictObject({ description });

export function actionOf({ account }: Caller, text: string | null | undefined): AdminAction {
  return { adminId: account.accountId, adminEmail: account.email, description: text ?? null };
}
