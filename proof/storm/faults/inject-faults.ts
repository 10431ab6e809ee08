import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { Cluster, ProcessName } from '../cluster/cluster.js';
import type { FaultKind } from './fault-kind.js';
import { type PlannedFault, scheduleFaults } from './fault-schedule.js';
import type { RecoveryWatch } from './recovery-watch.js';

export interface InjectionOptions {
  readonly cluster: Cluster;
  readonly kinds: readonly FaultKind[];
  readonly seed: number;
  readonly watches: ReadonlyMap<ProcessName, RecoveryWatch>;
  /** Descriptions of the faults in progress. */
  readonly underWay: Set<string>;
  readonly log: (text: string) => void;
  /** Asked before each round; the counts are those of the kinds so far. */
  readonly isOver: (counts: ReadonlyMap<string, number>) => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** Injects one round of faults after the other. Returns how often each kind came, once the last fault is over. */
export async function injectFaults(options: InjectionOptions): Promise<ReadonlyMap<string, number>> {
  const { kinds, seed, isOver, stopping } = options;
  const chance = createSeededRandom(seed);
  const counts = new Map(kinds.map(({ name }) => [name, 0]));
  for (const { gapMs, faults } of scheduleFaults(kinds, chance)) {
    await delay(gapMs, undefined, { signal: stopping });
    if (await isOver(counts)) break;
    for (const { kind } of faults) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1);
    // Wait for both, even when one fails: no fault may still run after this function returns.
    const endings = await Promise.allSettled(faults.map((fault) => injectFault(fault, options)));
    for (const ending of endings) {
      if (ending.status === 'rejected') throw ending.reason;
    }
  }
  return counts;
}

async function injectFault({ kind, target, afterMs, lastsMs }: PlannedFault, options: InjectionOptions): Promise<void> {
  const { cluster, seed, watches, underWay, log, stopping } = options;
  await delay(afterMs, undefined, { signal: stopping });
  const text = `${kind.name} (${target})`;
  const affected = kind.affects(target).flatMap((name) => {
    const watch = watches.get(name);
    return watch === undefined ? [] : [{ name, watch }];
  });
  for (const { name, watch } of affected) watch.faultBegins(kind.name, kind.recoversWithinMs?.(target, name));
  underWay.add(text);
  log(`begins: ${text}`);
  try {
    await kind.inject({ cluster, target, lastsMs, chance: createSeededRandom(seed + lastsMs), stopping });
    log(`over:   ${text}`);
  } finally {
    underWay.delete(text);
    for (const { watch } of affected) watch.faultEnds();
  }
}
