import { describe, expect, it } from '@jest/globals';
import { nextAudit } from './daily-audit.js';

const HOUR = 3_600_000;

describe('the next audit', () => {
  it.each([
    ['2026-03-01T00:00:00Z', 'audit-2026-03-01', 3 * HOUR],
    ['2026-03-01T02:59:59.999Z', 'audit-2026-03-01', 1],
    ['2026-03-01T03:00:00Z', 'audit-2026-03-02', 24 * HOUR],
    ['2026-12-31T15:00:00Z', 'audit-2027-01-01', 12 * HOUR],
  ])('at %s is %s', (now, jobId, delayMs) => {
    expect(nextAudit(new Date(now))).toEqual({ jobId, delayMs });
  });
});
