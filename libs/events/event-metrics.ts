import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import { type EventTail, type WakeReason, wakeReasons } from './event-tail.js';
import type { OnLogged } from './on-logged.js';

/** How much the logs grow by this process. */
export function addLogMetrics({ registry }: Metrics): OnLogged {
  const events = new Counter({
    name: 'ledger_events_total',
    help: 'Events that this process has added to the logs of accounts',
    registers: [registry],
  });
  return (_accountIds, eventCount) => events.inc(eventCount);
}

/** Why readers that wait for events were woken: many by `poll` mean that signals do not arrive. */
export function addWakeMetrics({ registry }: Metrics): (reason: WakeReason) => void {
  const wakes = new Counter({
    name: 'ledger_event_wakes_total',
    help: 'Readers that waited for events and were woken, by what woke them',
    labelNames: ['by'],
    registers: [registry],
  });
  for (const by of wakeReasons) wakes.inc({ by }, 0);
  return (by) => wakes.inc({ by });
}

export function addTailMetrics({ registry, beforeScrape }: Metrics, tail: EventTail): void {
  const waiting = new Gauge({
    name: 'ledger_event_waiting',
    help: 'Readers that wait for events at present',
    registers: [registry],
  });
  beforeScrape(() => waiting.set(tail.waiterCount()));
}
