import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { type ClockMove, moveClock } from '#accounts/sandboxes/sandbox-clock.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { assertSandbox, sandboxClock } from './clock.js';

const MAX_SECONDS = 315_360_000;

const moveBody = z
  .strictObject({
    advance_s: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .nullish()
      .meta({ description: 'By so many seconds.', examples: [3600] }),
    now: fields.bodyMoment.nullish().meta({ description: 'To this time, later than that of the sandbox.' }),
  })
  .refine(({ advance_s, now }) => (advance_s == null) !== (now == null), 'one of advance_s and now must be given')
  .meta({ id: 'MoveSandboxClock', examples: [{ advance_s: 3600 }] });

const moveOf = ({ advance_s: advanceSeconds, now }: z.output<typeof moveBody>): ClockMove =>
  now == null ? { advanceSeconds: advanceSeconds ?? 0 } : { to: now };

export const sandboxClockMove = endpoint({
  method: 'post',
  path: '/sandbox/clock',
  tag: 'Sandboxes',
  summary: 'Advance the clock of a sandbox',
  description:
    'Needs a key of the sandbox. From the answer on its time is the new one; the worker then runs what is due, until `GET /sandbox/clock` says `ready`. Only forward, at most 3,650 days in all.',
  access: 'account',
  status: 202,
  body: moveBody,
  answer: sandboxClock,
  refusals: ['not-a-sandbox', 'sandbox-deleted', 'clock-backward', 'clock-too-far'],
  handle({ body, caller, cause, call }, { accounts }) {
    const accountId = assertSandbox(caller.account);
    return answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => moveClock(context, accountId, moveOf(body)),
      present: (data) => ({ data }),
    });
  },
});
