import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { ProcessName, Stage } from '../stage/stage.js';
import { faultKinds } from './kinds.js';
import type { RecoveryWatch } from './recovery.js';
import { type PlannedFault, scheduleOf } from './schedule.js';

export interface StrikeOptions {
  readonly stage: Stage;
  readonly seed: number;
  readonly watches: ReadonlyMap<ProcessName, RecoveryWatch>;
  /** Faults that are under way, in words. */
  readonly underWay: Set<string>;
  readonly log: (text: string) => void;
  /** After that nothing new happens. */
  readonly untilMs: number;
  readonly stopping: AbortSignal;
}

/** Lets one thing after the other happen, and returns how often each did, when the last one is over. */
export async function strike(options: StrikeOptions): Promise<ReadonlyMap<string, number>> {
  const { seed, untilMs, stopping } = options;
  const chance = createSeededRandom(seed);
  const counts = new Map(faultKinds.map(({ name }) => [name, 0]));
  for (const { gapMs, faults } of scheduleOf(faultKinds, chance)) {
    await delay(gapMs, undefined, { signal: stopping });
    if (performance.now() >= untilMs) break;
    for (const { kind } of faults) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1);
    // Each to its end, whatever becomes of the other: nothing may go on behind our backs.
    const endings = await Promise.allSettled(faults.map((fault) => happen(fault, options)));
    for (const ending of endings) {
      if (ending.status === 'rejected') throw ending.reason;
    }
  }
  return counts;
}

async function happen({ kind, target, afterMs, lastsMs }: PlannedFault, options: StrikeOptions): Promise<void> {
  const { stage, seed, watches, underWay, log, stopping } = options;
  await delay(afterMs, undefined, { signal: stopping });
  const text = `${kind.name} (${target})`;
  const concerned = kind.concerns(target).flatMap((name) => watches.get(name) ?? []);
  for (const watch of concerned) watch.faultBegins(kind.name);
  underWay.add(text);
  log(`begins: ${text}`);
  try {
    await kind.strike({ stage, target, lastsMs, chance: createSeededRandom(seed + lastsMs), stopping });
    log(`over:   ${text}`);
  } finally {
    underWay.delete(text);
    for (const watch of concerned) watch.faultEnds();
  }
}
