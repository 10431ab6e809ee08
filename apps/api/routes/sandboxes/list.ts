import { z } from 'zod';
import { listSandboxes } from '#accounts/sandboxes/sandbox.js';
import { endpoint } from '../../endpoint.js';
import { presentSandbox, sandbox } from './sandbox.js';

export const sandboxList = endpoint({
  method: 'get',
  path: '/account/sandboxes',
  tag: 'Sandboxes',
  summary: 'List the sandboxes of a business',
  description: 'All of them, the oldest first; those too that are being deleted.',
  access: 'account',
  answer: z.strictObject({ data: z.array(sandbox) }).meta({ id: 'Sandboxes' }),
  handle: async ({ caller }, { database }) => ({
    data: (await listSandboxes(database.shared, caller.account.accountId)).map(presentSandbox),
  }),
});
