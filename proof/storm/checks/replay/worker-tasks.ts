import type { BatchAnswer } from '#core/operation.js';
import type { SecondLedger, Task } from '#proof/second-ledger/second-ledger.js';
import { SETTLEMENT } from './ledger-requests.js';
import type { LoggedEvent, StoredStep } from './stored-log.js';

/* What the worker may have done, in the words of the second ledger. */

/** As in the worker. */
const CLOCK_CHUNK = 1_000;
/** One transaction cancels so many parts, of one pending cancel after another. */
const CANCEL_PARTS = ['1', '2', '3', '4'];
const CANCEL_PART = 250;

/** The likeliest first: its events mostly tell which it was, and its rows always. */
export function tasksOfWorker(
  second: SecondLedger,
  [first]: readonly LoggedEvent[],
  steps: ReadonlyMap<string, Pick<StoredStep, 'wager'>>,
): Task[] {
  const wager = first?.kind.startsWith('wager.') ? first.ref : steps.get(first?.ref ?? '')?.wager;
  if (wager === undefined) return [];
  const wagerId = BigInt(wager);
  const settle = { type: 'settle_chunk', wagerId, bound: Number(SETTLEMENT.SETTLEMENT_CHUNK) } as const;
  const clock = { type: 'run_clock', wagerId, bound: CLOCK_CHUNK } as const;
  if (first?.kind === 'wager.closed') return [clock];
  if (first?.kind === 'offer.canceled') return [cancelOf(second, wagerId), settle];
  return first?.kind === 'offer.expired' && first.extra.reason === 'time' ? [clock] : [settle];
}

/** Cancels that find nothing leave no event. */
function cancelOf(second: SecondLedger, wagerId: bigint): Task {
  const operation = { type: 'cancel_chunk', wagerId, bound: CANCEL_PART } as const;
  const task = CANCEL_PARTS.map((operationId) => ({ operationId, operation }));
  for (;;) {
    const { verdict, writes } = second.preview(task);
    const answers = verdict.isDone ? (verdict.answer as BatchAnswer[]) : [];
    const isFound = answers.some((part) => part.type === 'cancel_chunk' && part.answer.canceledCount > 0);
    if (isFound || !writes) return task;
    second.run(task);
  }
}
