import { AsyncLocalStorage } from 'node:async_hooks';
import type { LedgerAsOf } from './log-head.js';

// A read notes up to where its facts go, and the endpoint answers it in a header. The readers' results stay free of it.

interface Noted {
  asOf?: LedgerAsOf;
  isInexact: boolean;
}

const reads = new AsyncLocalStorage<Noted>();

/** Runs a read and returns, beside its result, what its last statement noted; undefined: nothing exact. */
export async function withAsOf<Result>(
  read: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly asOf: LedgerAsOf | undefined }> {
  const noted: Noted = { isInexact: false };
  const result = await reads.run(noted, read);
  return { result, asOf: noted.isInexact ? undefined : noted.asOf };
}

/** For the statement that reads the facts: it has selected the head as well. */
export function noteAsOf(asOf: LedgerAsOf): void {
  const noted = reads.getStore();
  if (noted !== undefined) noted.asOf = asOf;
}

/** A condition of the read is of an earlier moment than its facts. */
export function noteInexact(): void {
  const noted = reads.getStore();
  if (noted !== undefined) noted.isInexact = true;
}
