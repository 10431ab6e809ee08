import { z } from 'zod';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired } from '../../guards/approval.js';
import { DECIDED_TEXTS, decisionIn, presentDecided, voidMatchedAfter, voidsRefused } from '../bets/decide-wager.js';
import { correctLedger, why, whyExample } from './correction.js';

export const forceOutcomeBody = z
  .strictObject({
    account_id: fields.idNumber.meta({ description: 'Whose wager it is.' }),
    wager_reference: fields.reference.meta({ description: 'The wager, as its business calls it.' }),
    outcome,
    void_matched_after: voidMatchedAfter,
    description: why,
  })
  .meta({
    id: 'ForceOutcome',
    examples: [{ account_id: 7, wager_reference: 'home-win', outcome: 'loss', description: whyExample }],
  });

export const forceOutcomeOf = (body: z.output<typeof forceOutcomeBody>) =>
  ({ type: 'force_wager_outcome', wagerReference: body.wager_reference, ...decisionIn(body) }) as const;

export const adminWagerForceOutcome = endpoint({
  method: 'post',
  path: '/admin/wagers/force-update-outcome',
  tag: 'Administration',
  summary: 'Give a wager another outcome, decided or not',
  description:
    'Every bet of the wager moves to where the outcome says; what is beyond the bound for one request, the worker moves. Back to `undecided`, the offers that the decision expired are open again.',
  access: 'admin',
  body: forceOutcomeBody,
  answer: messageOnly(...DECIDED_TEXTS),
  accepted: approvalRequired,
  refusals: ['account-not-found', voidsRefused, reject('wager-not-found'), paymentsDiffer, ...approvalRefusals],
  handle: ({ body, caller, call }, services) =>
    correctLedger({ caller, call }, services, {
      accountId: async () => BigInt(body.account_id),
      kind: 'force_update_outcome',
      given: body,
      operation: forceOutcomeOf(body),
      present: presentDecided,
    }),
});
