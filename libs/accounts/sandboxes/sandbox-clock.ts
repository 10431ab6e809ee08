import { dateOf, momentOf } from '#core/moment.js';
import { isCaughtUp } from '#ledger/clock.js';
import { type Database, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { CausedContext } from '../accounts-context.js';

/** `ready`: everything that is due at its time has run. */
export interface SandboxClock {
  readonly now: Date;
  readonly ready: boolean;
}

/** By so many seconds, or to a time. */
export type ClockMove = { readonly advanceSeconds: number } | { readonly to: Date };

/** Ten years; a CHECK has it, too. */
const MOST_AHEAD = BigInt(3_650 * 86_400) * 1_000_000n;

interface Time {
  /** In microseconds since 1970. */
  readonly now: bigint;
  readonly ahead: bigint;
}

const timeOf = (accountId: bigint): Prisma.Sql => Prisma.sql`
  SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + clock_ahead AS now, clock_ahead AS ahead
    FROM accounts WHERE id = ${accountId}`;

const shown = ({ now }: Pick<Time, 'now'>, ready: boolean): SandboxClock => ({
  now: dateOf(now),
  ready,
});

export async function readClock(database: Database, accountId: bigint): Promise<SandboxClock> {
  const [time] = await queryRows<Time>(database.shared, timeOf(accountId));
  if (time === undefined) throw new Refusal('sandbox-deleted');
  return shown(time, await isCaughtUp(database.of(accountId), accountId, time.now));
}

/** How far ahead the clock then is. */
function aheadAfter({ now, ahead }: Time, move: ClockMove): bigint {
  if ('advanceSeconds' in move) return ahead + BigInt(move.advanceSeconds) * 1_000_000n;
  const difference = momentOf(move.to) - now;
  if (difference <= 0n) throw new Refusal('clock-backward');
  return ahead + difference;
}

/** Two moves come one after the other: the second one begins where the first one ended. */
export const moveClock = (context: CausedContext, accountId: bigint, move: ClockMove): Promise<SandboxClock> =>
  context.transact(async (tx: Tx) => {
    await tx.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
    const [time] = await queryRows<Time>(tx, timeOf(accountId));
    if (time === undefined) throw new Refusal('sandbox-deleted');
    const ahead = aheadAfter(time, move);
    if (ahead > MOST_AHEAD) throw new Refusal('clock-too-far');
    await tx.$executeRaw`UPDATE accounts SET clock_ahead = ${ahead}, updated_at = now() WHERE id = ${accountId}`;
    const now = time.now + ahead - time.ahead;
    return shown({ now }, await isCaughtUp(tx, accountId, now));
  });
