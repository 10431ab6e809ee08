import { describe, expect, it } from '@jest/globals';
import { findCrashes } from './service-crashes.js';

const at = '2026-01-01 00:00:00.000 UTC [1]';

describe('the log of a service', () => {
  it('has no crash when only the whole service was killed or stopped', () => {
    const lines = [
      `${at} LOG:  starting PostgreSQL 18.0`,
      `${at} LOG:  received immediate shutdown request`,
      `${at} LOG:  issuing SIGKILL to recalcitrant children`,
      `${at} LOG:  client backend (PID 2) was terminated by signal 9: Killed`,
      `${at} LOG:  database system was not properly shut down; automatic recovery in progress`,
    ];
    expect(findCrashes(lines.join('\n'))).toEqual([]);
  });

  it.each([
    [
      'a backend of PostgreSQL that crashed',
      'LOG:  client backend (PID 2) was terminated by signal 11: Segmentation fault',
    ],
    ['a panic', 'PANIC:  could not write to file'],
    ['a Redis that crashed', '# Redis 8.0 crashed by signal: 11'],
  ])('reveals %s, even after an earlier stop', (_case, text) => {
    const lines = [
      `${at} LOG:  issuing SIGKILL to recalcitrant children`,
      `${at} LOG:  starting PostgreSQL 18.0`,
      `${at} ${text}`,
    ];
    expect(findCrashes(lines.join('\n'))).toEqual([`${at} ${text}`]);
  });
});
