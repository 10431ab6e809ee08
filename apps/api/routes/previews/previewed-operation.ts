import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { readAccount } from '#accounts/accounts.js';
import * as fields from '#http/fields.js';
import type { Database } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { PreviewedOperation, SingleOperation } from '#previews/preview.js';
import { accountOfBet } from '#reads/read-bet.js';
import { why } from '../admin/correction.js';
import { forceOutcomeBody, forceOutcomeOf } from '../admin/force-outcome.js';
import { forceOverrideBody, forceOverrideOf } from '../admin/force-override.js';
import { decideWagerBody, decideWagerOf } from '../bets/decide-wager.js';
import { overrideOutcomeBody, overrideOutcomeOf } from '../bets/override-outcome.js';
import { correctionOfWager, correctOperation } from '../wagers/correct.js';

// The operations that can be previewed: the fields of each are those of its route.

export const typedOperation = <Type extends string, Shape extends z.ZodRawShape>(
  id: string,
  type: Type,
  shape: Shape,
) => z.strictObject({ type: z.literal(type).meta({ description: 'What would be done.' }), ...shape }).meta({ id });

/** As many operations as a batch has. */
const MAX_DECISIONS = 20;

const activation = { bet_id: fields.idNumber.meta({ description: 'The bet.' }), description: why };

export const singleOperations = [
  typedOperation('PreviewUpdateWagerOutcome', 'update_wager_outcome', decideWagerBody.shape),
  typedOperation('PreviewOverrideBetOutcome', 'override_bet_outcome', overrideOutcomeBody.shape),
  typedOperation('PreviewForceOutcome', 'force_update_outcome', forceOutcomeBody.shape),
  typedOperation('PreviewForceOverride', 'force_update_override_outcome', forceOverrideBody.shape),
  typedOperation('PreviewSetInactive', 'set_inactive', activation),
  typedOperation('PreviewSetActive', 'set_active', activation),
  typedOperation('PreviewCorrectWager', 'correct_wager_outcome', correctionOfWager),
] as const;
const previewedOperations = [
  ...singleOperations,
  typedOperation('PreviewDecisions', 'update_wager_outcomes', {
    decisions: z
      .array(decideWagerBody.pick({ reference: true, outcome: true }))
      .min(1)
      .max(MAX_DECISIONS)
      .refine((all) => new Set(all.map(({ reference }) => reference)).size === all.length, {
        error: 'must name each wager once',
      })
      .meta({ description: 'Of several wagers, as one batch decides them.' }),
  }),
] as const;
const types = previewedOperations.map(({ shape }) => shape.type.value);

export const previewedOperation = z
  .discriminatedUnion('type', previewedOperations, {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of the following values: ${types.join(', ')}` : undefined,
  })
  .meta({ description: 'The operation, with the fields of its route.' });

type Given = z.output<typeof previewedOperation>;
export type GivenSingle = Exclude<Given, { readonly type: 'update_wager_outcomes' }>;

const ownTypes: ReadonlySet<Given['type']> = new Set([
  'update_wager_outcome',
  'update_wager_outcomes',
  'correct_wager_outcome',
  'override_bet_outcome',
]);

/** Who may do it may preview it: corrections are for admins. */
export function assertMayPreview({ type }: Given, { account, isAdminLocked }: Caller): void {
  if (ownTypes.has(type)) return;
  if (account.role !== 'admin') throw new Refusal('admins-only');
  if (isAdminLocked) throw new Refusal('second-factor-required');
}

/** Whose ledger the operation is about, as its route finds out. It refuses what the route would refuse. */
export async function ledgerOf(given: Given, caller: Caller, database: Database): Promise<bigint> {
  switch (given.type) {
    case 'update_wager_outcome':
    case 'update_wager_outcomes':
    case 'correct_wager_outcome':
    case 'override_bet_outcome':
      return caller.account.accountId;
    case 'force_update_outcome':
    case 'force_update_override_outcome':
      return (await readAccount(database.shared, BigInt(given.account_id))).id;
    case 'set_inactive':
    case 'set_active':
      return accountOfBet(database, BigInt(given.bet_id));
  }
}

export const previewedOperationOf = (given: Given): PreviewedOperation =>
  given.type === 'update_wager_outcomes' ? given : singleOperationOf(given);

/** `asked`: it was asked for in time, and another person approves it. */
export function singleOperationOf(given: GivenSingle, correcting: 'now' | 'asked' = 'now'): SingleOperation {
  switch (given.type) {
    case 'correct_wager_outcome':
      return correctOperation(given, correcting);
    case 'update_wager_outcome':
      return decideWagerOf(given);
    case 'override_bet_outcome':
      return overrideOutcomeOf(given);
    case 'force_update_outcome':
      return forceOutcomeOf(given);
    case 'force_update_override_outcome':
      return forceOverrideOf(given);
    case 'set_inactive':
    case 'set_active':
      return { type: 'set_bet_active', betId: BigInt(given.bet_id), isActive: given.type === 'set_active' };
  }
}
