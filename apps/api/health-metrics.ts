import type { Metrics } from '#platform/metrics/metrics.js';
import type { Health } from './health.js';

/** A dead worker serves no metrics, so the API does. Figures that are not known are absent. */
export function addHealthMetrics({ gauge, beforeScrape }: Metrics, health: Pick<Health, 'ofService'>): void {
  const workers = gauge({
    name: 'ledger_workers',
    help: 'Worker processes, by whether their heartbeat comes',
    labelNames: ['state'],
  });
  const beatAge = gauge({
    name: 'ledger_worker_heartbeat_age_seconds',
    help: 'Since the last heartbeat of any worker; absent when none is known',
  });
  const stuck = gauge({
    name: 'ledger_stuck_settlements',
    help: 'Settlements whose bets do not move, although it is their turn',
  });
  const overdue = gauge({
    name: 'ledger_overdue_outbox_entries',
    help: 'Work of the outbox that has waited for too long',
  });
  const late = gauge({
    name: 'ledger_late_audit_accounts',
    help: 'Accounts that no night has confirmed for a day and a half',
  });
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
