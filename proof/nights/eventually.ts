import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
const USUAL_MS = 30_000;

/** What the proof found wrong, or waited for in vain. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** Asks until it is so. */
export async function eventually(what: string, isSo: () => Promise<boolean>, withinMs = USUAL_MS): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Finding(`${what}: not within ${withinMs / 1_000} s`);
    await delay(POLL_MS);
  }
}

export function expectSame(what: string, got: unknown, wanted: unknown): void {
  const [gotText, wantedText] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (gotText !== wantedText) throw new Finding(`${what}: ${gotText} instead of ${wantedText}`);
}
