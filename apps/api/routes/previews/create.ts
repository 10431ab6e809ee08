import { z } from 'zod';
import { actorOfCaller, type Caller } from '#accounts/access/authenticator.js';
import { besideLedger } from '#accounts/accounts-context.js';
import type { Cause } from '#accounts/events/account-event.js';
import { assertWanted } from '#http/answer.js';
import { Refusal } from '#platform/errors/refusal.js';
import { requestPreview, requestRefused } from '#previews/request-preview.js';
import { AcceptedAnswer, endpoint } from '../../endpoint.js';
import type { ApiServices } from '../../services.js';
import { donePreview, presentDone, presentUnfinished, unfinishedPreview } from './preview.js';
import { assertMayPreview, ledgerOf, previewedOperation, previewedOperationOf } from './previewed-operation.js';

const PATH = '/previews';

/** The account gets an event when an admin reads it. */
function noteReadOf(accountId: bigint, { caller, cause }: { caller: Caller; cause: Cause }, services: ApiServices) {
  if (accountId === caller.account.accountId) return;
  const byAdmin = { ...cause, actor: actorOfCaller(caller, true) };
  services.notedEvents.note({ accountId, type: 'admin-read', after: { route: `POST ${PATH}` }, cause: byAdmin });
}

export const previewCreate = endpoint({
  method: 'post',
  path: PATH,
  tag: 'Previews',
  summary: 'Show what a decision or a correction would move',
  description:
    'The ledger does the operation to a snapshot and writes nothing of it. An operation that would be refused is answered with `would_succeed: false`. With more than 20,000 bets a worker computes the preview: the answer is 202, and `GET /previews/:id` shows how far it is.',
  access: 'account',
  // It changes nothing of the ledger, so a second one does no harm.
  isRepeatable: true,
  body: z.strictObject({ operation: previewedOperation }).meta({
    id: 'CreatePreview',
    examples: [{ operation: { type: 'update_wager_outcome', reference: 'home-win', outcome: 'win' } }],
  }),
  answer: z.strictObject({ data: donePreview }),
  accepted: z.strictObject({ data: unfinishedPreview }),
  refusals: ['admins-only', 'too-many-previews'],
  async handle({ body: { operation: given }, caller, cause, call }, services) {
    const { accountId } = caller.account;
    assertMayPreview(given, caller);
    const operation = previewedOperationOf(given);
    const goOn = () => assertWanted(call.deadline);
    const context = { ...besideLedger(services.accounts, accountId), database: services.database, goOn };
    const preview = await services.inPreviewTurn(caller.account, async () => {
      goOn();
      try {
        const ledgerAccountId = await ledgerOf(given, caller, services.database);
        noteReadOf(ledgerAccountId, { caller, cause }, services);
        const request = { accountId, ledgerAccountId, operation };
        return await requestPreview(context, request);
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'not-found') throw error;
        return requestRefused(context, { accountId, ledgerAccountId: accountId, operation }, error.message);
      }
    });
    if (preview.figures === undefined) return new AcceptedAnswer({ data: presentUnfinished(preview) });
    return { data: presentDone(preview, preview.figures) };
  },
});
