import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import { unlessStandingStill } from './standstills.js';
import { waitFor } from './wait-for.js';

const BLOCK_MS = 600;
const STANDSTILL_MS = 400;

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await createTestEnvironment();
});

afterAll(() => environment?.close());

/** Blocks the event loop of this process, as a fault of the product would. */
function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS);
}

const CLOCK_IS_CONNECTED = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_logical_emit_message%'`;

describe.each(['processor', 'disk'] as const)('the clock that knows the %s', (kind) => {
  it('counts the time in which the process blocks itself, and no scenario runs again for it', async () => {
    const database = kind === 'disk' ? environment.database : undefined;
    await unlessStandingStill(async (clock) => {
      if (database !== undefined) await waitFor(async () => (await database.query(CLOCK_IS_CONNECTED)).length > 0);
      const since = clock.now();
      block();
      const blockedMs = clock.now() - since;
      expect({ leftOut: clock.stoodStillMs(), isCounted: blockedMs > BLOCK_MS - 1 }).toEqual({
        leftOut: 0,
        isCounted: true,
      });
    }, database);
  });
});

const READ_CLOCK = `import { createInterface } from 'node:readline';
  import { startClock } from ${JSON.stringify(new URL('./standstills.js', import.meta.url).href)};
  const clock = startClock();
  for await (const _ of createInterface({ input: process.stdin })) console.log(clock.stoodStillMs());`;

it('a clock leaves out the time in which its process stands still', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', READ_CLOCK], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const leftOutMs = async () => {
      child.stdin.write('now\n');
      return Number((await answers.next()).value);
    };
    // The clock notices nothing before its first tick.
    const leftOut = await waitFor(async () => {
      const before = await leftOutMs();
      child.kill('SIGSTOP');
      await delay(STANDSTILL_MS);
      child.kill('SIGCONT');
      return (await leftOutMs()) - before || undefined;
    });
    expect(leftOut).toBeGreaterThan(STANDSTILL_MS / 2);
  } finally {
    child.kill('SIGKILL');
  }
});
