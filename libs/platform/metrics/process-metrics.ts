import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Metrics } from './metrics.js';

const LAG_RESOLUTION_MS = 20;
const LAG_QUANTILES = [0.5, 0.99, 1];
const NS_PER_SECOND = 1e9;
const MICROS_PER_SECOND = 1e6;

/** CPU, memory and event loop of this process, read at each scrape only. */
export function addProcessMetrics({ counter, gauge, beforeScrape, onClose }: Metrics): void {
  gauge({
    name: 'ledger_process_start_time_seconds',
    help: 'When the process started, in seconds since 1970',
  }).set(Math.round(performance.timeOrigin / 1_000));
  const cpu = counter({ name: 'ledger_process_cpu_seconds_total', help: 'CPU time used', labelNames: ['mode'] });
  const memory = gauge({
    name: 'ledger_process_memory_bytes',
    help: 'Memory: resident in all, and of it the used and the whole heap of JavaScript and what lies outside of it',
    labelNames: ['kind'],
  });
  const lag = gauge({
    name: 'ledger_event_loop_lag_seconds',
    help: 'How late the event loop came to its timers since the last scrape',
    labelNames: ['quantile'],
  });
  const busy = gauge({
    name: 'ledger_event_loop_utilization_ratio',
    help: 'Share of the time since the last scrape that the event loop was busy',
  });

  const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  delays.enable();
  onClose(() => delays.disable());
  let usedCpu = { user: 0, system: 0 };
  let utilization = performance.eventLoopUtilization();

  beforeScrape(() => {
    const nowUsed = process.cpuUsage();
    cpu.inc({ mode: 'user' }, (nowUsed.user - usedCpu.user) / MICROS_PER_SECOND);
    cpu.inc({ mode: 'system' }, (nowUsed.system - usedCpu.system) / MICROS_PER_SECOND);
    usedCpu = nowUsed;

    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    memory.set({ kind: 'resident' }, rss);
    memory.set({ kind: 'heap_used' }, heapUsed);
    memory.set({ kind: 'heap_total' }, heapTotal);
    memory.set({ kind: 'external' }, external);

    for (const quantile of LAG_QUANTILES) {
      // The histogram measures from one timer to the next; the excess over its resolution is the lag.
      const measuredNs = delays.count === 0 ? 0 : delays.percentile(quantile * 100);
      lag.set({ quantile: String(quantile) }, Math.max(0, measuredNs / NS_PER_SECOND - LAG_RESOLUTION_MS / 1_000));
    }
    delays.reset();

    const nowUtilization = performance.eventLoopUtilization();
    busy.set(performance.eventLoopUtilization(nowUtilization, utilization).utilization);
    utilization = nowUtilization;
  });
}
