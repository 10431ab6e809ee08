import { z } from 'zod';
import type { ServiceHealth } from '#reads/service-health.js';
import { count } from './answers.js';

// What is not known says so: a reader must not take it for good.

const UNKNOWN = 'unknown';

/** A figure, or that it could not be read in time. */
export const orUnknown = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.literal(UNKNOWN)]);

export const known = <Value>(value: Value | undefined): Value | typeof UNKNOWN => value ?? UNKNOWN;

export const backgroundWork = z.enum(['alive', 'none', UNKNOWN]).meta({
  id: 'BackgroundWork',
  description: 'Whether a worker lives: it settles what decisions leave, sends mails and webhooks, and audits.',
  examples: ['alive'],
});

export function presentBackgroundWork(health: ServiceHealth | undefined): z.output<typeof backgroundWork> {
  if (health === undefined) return UNKNOWN;
  return health.workers.alive > 0 ? 'alive' : 'none';
}

/** Of the whole service: counts up to 1000, and nothing of an account. */
export const healthCounts = {
  workers_alive: orUnknown(count('Workers that live.')),
  workers_dead: orUnknown(count('Workers without a heartbeat for 15 seconds that did not stop, for a day.')),
  stuck_settlements: orUnknown(count('Settlements that are stuck, as in `StuckSettlement`.')),
  failing_webhooks: orUnknown(count('Webhook endpoints that fail, or are disabled because they did.')),
  late_audits: orUnknown(count('Accounts that no night has confirmed for a day and a half.')),
  overdue_work: orUnknown(count('Work that has waited for five minutes, exports and previews for an hour.')),
};

export const exampleCounts = {
  workers_alive: 2,
  workers_dead: 0,
  stuck_settlements: 0,
  failing_webhooks: 0,
  late_audits: 0,
  overdue_work: 0,
};

export const presentCounts = (health: ServiceHealth | undefined) => ({
  workers_alive: known(health?.workers.alive),
  workers_dead: known(health?.workers.dead),
  stuck_settlements: known(health?.stuckSettlements),
  failing_webhooks: known(health?.failingWebhooks),
  late_audits: known(health?.lateAudits),
  overdue_work: known(health?.overdueWork),
});
