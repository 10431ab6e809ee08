import { z } from 'zod';
import { readAccount } from '#accounts/accounts.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired, executeOrAsk } from '../../guards/approval.js';
import { actionOf, guardedCorrection, why, whyExample } from './correction.js';

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

export const adminBetForceOverride = endpoint({
  method: 'post',
  path: '/admin/bets/force-update-override-outcome',
  tag: 'Administration',
  summary: 'Give a bet an outcome of its own, or take it away',
  description:
    "The ledger takes back the bet's movements, and moves it anew by its effective outcome. While its override decides, it is `expired`.",
  access: 'admin',
  body: forceOverrideBody,
  answer: messageOnly('Bet override updated', 'Bet override removed'),
  accepted: approvalRequired,
  refusals: [
    'account-not-found',
    reject('bet-not-found'),
    reject('bet-canceled'),
    reject('bet-void-due'),
    paymentsDiffer,
    ...approvalRefusals,
  ],
  async handle({ body, caller, call }, services) {
    const { database } = services;
    const account = await lookUpOnce(database.shared, call.idempotency, () =>
      readAccount(database.shared, BigInt(body.account_id)),
    );
    if (account instanceof Replayed) return account;
    const overrideOutcome = body.override_outcome ?? null;
    const operation = { type: 'force_bet_override', betId: BigInt(body.bet_id), overrideOutcome } as const;
    const action = actionOf(caller, body.description);
    const message = overrideOutcome === null ? 'Bet override removed' : 'Bet override updated';
    const guarded = { ...guardedCorrection({ caller, call, account, action }), operation, given: body };
    return executeOrAsk(services, { ...guarded, kind: 'force_update_override_outcome' }, () => ({ message }));
  },
});
