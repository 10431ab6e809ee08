import { describe, expect, it } from '@jest/globals';
import type { OwnHealth } from '../../live/own-health.js';
import { alertsOf, type SeenAlerts, seenAfter, unknownParts } from './alert-list.js';

const STUCK = {
  account_id: 1,
  wager_id: 7,
  wager_reference: 'match',
  outcome: 'win',
  settling_since: '2026-01-15T18:32:10.125Z',
  moved_at: null,
} as const;

const healthOf = (given: Partial<OwnHealth>): OwnHealth => ({
  database: 'up',
  redis: 'up',
  background_work: 'alive',
  stuck_settlements: [],
  failing_webhooks: [],
  late_audits: 0,
  overdue_work: 0,
  last_audit: null,
  disputed_balances: [],
  users_below_zero: [],
  pending_approvals: 0,
  dead_workers: 0,
  ...given,
});

const see = (seen: SeenAlerts | undefined, health: OwnHealth) =>
  seenAfter(seen, alertsOf(health), unknownParts(health));
const keysOf = (seen: SeenAlerts) => [...seen.keys()].sort();

describe('the alerts that a person has seen', () => {
  const bad = healthOf({ stuck_settlements: [STUCK], pending_approvals: 2, background_work: 'none' });

  it('stay seen while their part is not known', () => {
    const seen = see(undefined, bad);
    expect(keysOf(seen)).toEqual(['pending_approvals', 'stuck 7', 'worker']);
    const slow = healthOf({ stuck_settlements: 'unknown', pending_approvals: 'unknown', background_work: 'unknown' });
    expect(keysOf(see(seen, slow))).toEqual(keysOf(seen));
    expect(keysOf(see(see(seen, slow), bad))).toEqual(keysOf(seen));
  });

  it('are forgotten when they are over, so that they are new when they come again', () => {
    const seen = see(undefined, bad);
    expect(keysOf(see(seen, healthOf({ stuck_settlements: 'unknown' })))).toEqual(['stuck 7']);
    expect(keysOf(see(seen, healthOf({})))).toEqual([]);
  });
});
