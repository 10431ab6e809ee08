import { readClock } from '#accounts/sandboxes/sandbox-clock.js';
import { endpoint } from '../../endpoint.js';
import { assertSandbox, sandboxClock } from './clock.js';

export const sandboxClockRead = endpoint({
  method: 'get',
  path: '/sandbox/clock',
  tag: 'Sandboxes',
  summary: 'Read the clock of a sandbox',
  description: 'Needs a key of the sandbox.',
  access: 'account',
  answer: sandboxClock,
  refusals: ['not-a-sandbox', 'sandbox-deleted'],
  handle: async ({ caller }, { database }) => ({ data: await readClock(database, assertSandbox(caller.account)) }),
});
