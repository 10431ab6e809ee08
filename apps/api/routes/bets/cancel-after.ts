import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { armTimer, disarmTimer, type TimerScope } from '#ledger/cancel-timers.js';
import { LedgerRefusal } from '#ledger/ledger.js';
import type { Database } from '#platform/database/database.js';
import { endpoint } from '../../endpoint.js';
import { moment } from '../../fields/answers.js';

const SHORTEST = 10;
const LONGEST = 300;

const cancelAfterBody = z
  .strictObject({
    timeout_s: z
      .int()
      .min(0)
      .max(LONGEST)
      .refine((timeout) => timeout === 0 || timeout >= SHORTEST, `must be 0, or not be less than ${SHORTEST}`)
      .meta({ description: `Seconds from now, ${SHORTEST} to ${LONGEST}. 0 disarms the timer.` }),
    user_id: fields.idNumber.nullish().meta({ description: 'A timer for the offers of this user alone.' }),
    user_reference: fields.reference.nullish().meta({ description: 'The same by reference.' }),
  })
  .meta({ id: 'CancelAfter', examples: [{ timeout_s: 60 }] });

const differ = reject('users-differ', 'user');

/** The user whom the body names; null: all of the account. */
async function userIdOf(
  database: Database,
  accountId: bigint,
  { user_id: id, user_reference: reference }: z.output<typeof cancelAfterBody>,
): Promise<bigint | null> {
  const keys = [...(id == null ? [] : [{ id: BigInt(id) }]), ...(reference == null ? [] : [{ reference }])];
  const users = await Promise.all(keys.map((key) => readUser(database.of(accountId), accountId, key)));
  const [first, second = first] = users;
  if (first?.id !== second?.id) throw new LedgerRefusal(differ);
  return first?.id ?? null;
}

export const betCancelAfter = endpoint({
  method: 'post',
  path: '/bets/cancel-after',
  tag: 'Bets',
  summary: 'Cancel all open offers, unless it is called again in time',
  description: `Arms a timer of the account, or of one user: one each. Another call moves it. When it fires, at most 2 seconds late, all open offers of the account or the user are canceled, once; later offers are not. Their events have the \`reason\` \`timer\`. A call that comes after the time and before it has fired moves it, too.`,
  access: 'account',
  isRepeatable: true,
  body: cancelAfterBody,
  answer: z.strictObject({
    data: z.strictObject({
      fires_at: moment('When it fires, unless a call moves it; null: it is disarmed.')
        .nullable()
        .meta({ examples: ['2026-01-15T18:36:30.000Z'] }),
    }),
  }),
  refusals: ['user-not-found', differ],
  handle: async ({ body, caller }, { database }) => {
    const { accountId } = caller.account;
    const scope: TimerScope = { accountId, userId: await userIdOf(database, accountId, body) };
    if (body.timeout_s > 0) return { data: { fires_at: await armTimer(database, scope, body.timeout_s) } };
    await disarmTimer(database, scope);
    return { data: { fires_at: null } };
  },
});
