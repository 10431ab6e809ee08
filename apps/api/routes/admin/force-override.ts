import { z } from 'zod';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired } from '../../guards/approval.js';
import { correctLedger, why, whyExample } from './correction.js';

const UPDATED = 'Bet override updated';
const REMOVED = 'Bet override removed';

export const forceOverrideBody = z
  .strictObject({
    account_id: fields.idNumber.meta({ description: 'Whose bet it is.' }),
    bet_id: fields.idNumber.meta({ description: 'The bet.' }),
    override_outcome: outcome.nullish().meta({ description: 'Null, or left out: the override is taken away.' }),
    description: why,
  })
  .meta({
    id: 'ForceOverride',
    examples: [{ account_id: 7, bet_id: 21, override_outcome: 'void', description: whyExample }],
  });

export const forceOverrideOf = ({ bet_id: betId, override_outcome: outcome }: z.output<typeof forceOverrideBody>) =>
  ({ type: 'force_bet_override', betId: BigInt(betId), overrideOutcome: outcome ?? null }) as const;

export const adminBetForceOverride = endpoint({
  method: 'post',
  path: '/admin/bets/force-update-override-outcome',
  tag: 'Administration',
  summary: 'Give a bet an outcome of its own, or take it away',
  description:
    "The ledger takes back the bet's movements, and moves it anew by its effective outcome. While its override decides, it is `expired`.",
  access: 'admin',
  body: forceOverrideBody,
  answer: messageOnly(UPDATED, REMOVED),
  accepted: approvalRequired,
  refusals: [
    'account-not-found',
    reject('bet-not-found'),
    reject('bet-canceled'),
    reject('bet-void-due'),
    paymentsDiffer,
    ...approvalRefusals,
  ],
  handle: ({ body, caller, call }, services) =>
    correctLedger({ caller, call }, services, {
      accountId: async () => BigInt(body.account_id),
      kind: 'force_update_override_outcome',
      given: body,
      operation: forceOverrideOf(body),
      present: () => ({ message: body.override_outcome == null ? REMOVED : UPDATED }),
    }),
});
