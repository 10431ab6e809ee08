import { z } from 'zod';
import { readAccount } from '#accounts/accounts.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { countPendingUnder } from '#ledger/rows/pending-bets.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { DECIDED_TEXTS, decidedText, voidMatchedAfter, voidsRefused } from '../bets/decide-wager.js';
import { actionOf, why, whyExample } from './correction.js';

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

export const adminWagerForceOutcome = endpoint({
  method: 'post',
  path: '/admin/wagers/force-update-outcome',
  tag: 'Administration',
  summary: 'Give a wager another outcome, decided or not',
  description:
    'Every bet of the wager moves to where the outcome says; what is beyond the bound for one request, the worker moves. Back to `undecided`, the offers that the decision expired are open again.',
  access: 'admin',
  status: 200,
  body: forceOutcomeBody,
  answer: messageOnly(...DECIDED_TEXTS),
  refusals: ['account-not-found', voidsRefused, reject('wager-not-found'), paymentsDiffer],
  async handle({ body, caller, call }, { database, ledger, settlementBound }) {
    const account = await lookUpOnce(database.shared, call.idempotency, () =>
      readAccount(database.shared, BigInt(body.account_id)),
    );
    if (account instanceof Replayed) return account;
    const { wager_reference: wagerReference, outcome: given } = body;
    const decision = { outcome: given, voidMatchedAfter: fields.momentOrNull(body.void_matched_after) };
    const counted = { accountId: account.id, reference: wagerReference, ...decision };
    const operation = {
      type: 'force_wager_outcome',
      wagerReference,
      ...decision,
      bound: settlementBound,
      pendingBefore: await countPendingUnder(database.of(account.id), counted),
      action: actionOf(caller, body.description),
    } as const;
    return ledger.execute(account.id, operation, { call, present: (decided) => ({ message: decidedText(decided) }) });
  },
});
