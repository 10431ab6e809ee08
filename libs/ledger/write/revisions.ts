import type { LedgerEvent } from '#core/changes.js';
import type { EventKind } from '#core/event-kind.js';
import { records } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { runPrepared } from '#platform/database/statements.js';

/*
 * The revision of a wager grows with each decision and correction of it or of one of its bets, and not with offers: who has seen
 * a preview can tell whether another decision came since.
 */

const RAISE = `UPDATE wagers w SET revision = w.revision + 1 FROM unnest($1::wanted_bet[]) n
  WHERE w.account_id = n.account_id AND w.id = n.id`;

const deciding: ReadonlySet<EventKind> = new Set<EventKind>([
  'wager.decided',
  'wager.corrected',
  'bet.overridden',
  'bet.activated',
  'bet.deactivated',
]);

/** The wager that the event revises. */
export function revisedBy(event: LedgerEvent): bigint | undefined {
  if (!deciding.has(event.kind)) return undefined;
  if ('wager' in event) return event.wager.id;
  return 'trail' in event ? event.trail.wagerId : undefined;
}

export interface RevisedWager {
  readonly accountId: bigint;
  readonly id: bigint;
}

/** The transaction holds the locks of these wagers. */
export async function raiseRevisions(tx: Tx, wagers: readonly RevisedWager[]): Promise<void> {
  const rows = records(wagers, ({ accountId, id }) => [accountId, id]);
  if (rows !== null) await runPrepared(tx, { name: 'raise revisions', text: RAISE, values: [rows] });
}
