import { z } from 'zod';
import type { RequestedOperation } from '#approvals/change-request.js';
import { approvals } from '../../fields/preferences.js';
import type { EndpointName } from '../../roles.js';
import { singleOperationOf, singleOperations, typedOperation } from '../previews/previewed-operation.js';
import { readMovement } from '../transactions/movement.js';
import { WITHDRAWN, withdrawBody } from '../transactions/withdraw.js';

// What a change request may ask for: the fields of each operation are those of its route.

const operations = [
  ...singleOperations,
  typedOperation('RequestWithdrawal', 'withdraw_user', withdrawBody.shape),
  typedOperation('RequestPreferences', 'update_preferences', {
    approvals: approvals.nullable().meta({ description: 'Null: no operation needs approval.' }),
  }),
] as const;
const types = operations.map(({ shape }) => shape.type.value);

export const requestedOperation = z
  .discriminatedUnion('type', operations, {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of the following values: ${types.join(', ')}` : undefined,
  })
  .meta({ description: 'The operation, with the fields of its route.' });

type Given = z.output<typeof requestedOperation>;
export type GivenPreferences = Extract<Given, { readonly type: 'update_preferences' }>;
export type GivenForLedger = Exclude<Given, GivenPreferences>;

/** The endpoint that does it alone: asking for it takes the same role. */
export const endpointOf: Readonly<Record<Given['type'], EndpointName>> = {
  update_wager_outcome: 'betUpdateWagerOutcome',
  correct_wager_outcome: 'wagerCorrect',
  override_bet_outcome: 'betOverrideOutcome',
  force_update_outcome: 'adminWagerForceOutcome',
  force_update_override_outcome: 'adminBetForceOverride',
  set_inactive: 'adminBetSetInactive',
  set_active: 'adminBetSetActive',
  withdraw_user: 'transactionWithdraw',
  update_preferences: 'accountPreferencesUpdate',
};

/** `asked`: of a request that was made, else of one that is being made. */
export const requestedOperationOf = (given: GivenForLedger, correcting: 'now' | 'asked'): RequestedOperation =>
  given.type === 'withdraw_user'
    ? { type: 'withdraw', ...readMovement(given, WITHDRAWN) }
    : singleOperationOf(given, correcting);
