import { Gauge } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { Health } from './health.js';

/** A dead worker serves no metrics, so the API does. Figures that are not known are absent. */
export function addHealthMetrics({ registry, beforeScrape }: Metrics, health: Pick<Health, 'ofService'>): void {
  const registers = [registry];
  const workers = new Gauge({
    name: 'ledger_workers',
    help: 'Worker processes, by whether their heartbeat comes',
    labelNames: ['state'],
    registers,
  });
  const beatAge = new Gauge({
    name: 'ledger_worker_heartbeat_age_seconds',
    help: 'Since the last heartbeat of any worker; absent when none is known',
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const stuck = gauge('ledger_stuck_settlements', 'Settlements whose bets do not move, although it is their turn');
  const overdue = gauge('ledger_overdue_outbox_entries', 'Work of the outbox that has waited for too long');
  const late = gauge('ledger_late_audit_accounts', 'Accounts that no night has confirmed for a day and a half');
  beforeScrape(async () => {
    const found = await health.ofService.soon();
    workers.reset();
    for (const one of [beatAge, stuck, overdue, late]) one.remove();
    if (found === undefined) return;
    workers.set({ state: 'alive' }, found.workers.alive);
    workers.set({ state: 'dead' }, found.workers.dead);
    if (found.workers.beatAgeSeconds !== null) beatAge.set(found.workers.beatAgeSeconds);
    stuck.set(found.stuckSettlements);
    overdue.set(found.overdueWork);
    late.set(found.lateAudits);
  });
}
