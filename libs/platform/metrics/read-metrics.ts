import { Counter } from 'prom-client';
import type { ReadServer } from '../database/reads.js';
import type { Metrics } from './metrics.js';

const SERVERS: readonly ReadServer[] = ['standby', 'primary'];

export function addReadMetrics({ registry }: Metrics): (server: ReadServer) => void {
  const reads = new Counter({
    name: 'ledger_reads_total',
    help: 'Lists, and figures for metrics, by the server that answered',
    labelNames: ['server'],
    registers: [registry],
  });
  for (const server of SERVERS) reads.inc({ server }, 0);
  return (server) => reads.inc({ server });
}
