import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { removeSandbox } from '#accounts/sandboxes/manage-sandboxes.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

const DELETED = 'Sandbox deleted';

export const sandboxDelete = endpoint({
  method: 'delete',
  path: '/account/sandboxes/:id',
  tag: 'Sandboxes',
  summary: 'Delete a sandbox',
  description:
    'With all of its rows. When it is answered, no process takes its keys any more; the worker then deletes its rows. The list shows it, and it counts, until they are gone.',
  access: 'account',
  params: z.object({ id: fields.idText.meta({ description: 'The id of the sandbox.', examples: [12] }) }),
  answer: messageOnly(DELETED),
  refusals: ['sandbox-not-found'],
  handle: ({ params, caller, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => removeSandbox(context, caller.account.accountId, BigInt(params.id)),
      present: () => ({ message: DELETED }),
    }),
});
