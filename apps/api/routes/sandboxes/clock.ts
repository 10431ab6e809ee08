import { z } from 'zod';
import type { AccessRow } from '#accounts/access/access-repository.js';
import { Refusal } from '#platform/errors/refusal.js';
import { moment } from '../../fields/answers.js';

export const sandboxClock = z.strictObject({
  data: z
    .strictObject({
      now: moment('The time of the sandbox.'),
      ready: z.boolean().meta({
        description:
          'Whether everything that is due at this time has run: wagers are closed, offers expired, decisions settled, cancels done.',
      }),
    })
    .meta({ id: 'SandboxClock', examples: [{ now: '2026-01-15T18:32:10.125Z', ready: true }] }),
});

/** The account of a caller that is a sandbox. */
export function assertSandbox({ accountId, sandboxOf }: AccessRow): bigint {
  if (sandboxOf === null) throw new Refusal('not-a-sandbox');
  return accountId;
}
