import { describe, expect, it } from '@jest/globals';
import { documentedRoutes } from '#testing/documented-routes.js';
import { compareWithAll } from './coverage.js';
import { commandLine, type LogLine, successOf } from './record.js';

const NOT_RUN = 'did not run with success: ';
const missingIn = (record: readonly string[]) =>
  compareWithAll(record).faults.flatMap((fault) => (fault.startsWith(NOT_RUN) ? fault.slice(NOT_RUN.length) : []));

describe('what must run on a cluster', () => {
  const all = missingIn([]);

  it('is every route, every command with its options, and every job', () => {
    expect(all.filter((one) => one.startsWith('route '))).toHaveLength(documentedRoutes.length);
    expect(all).toContain('route PATCH /account/user/:reference/reference');
    expect(all.filter((one) => one.startsWith('command ')).sort()).toEqual([
      'command audit',
      'command audit … --account',
      'command audit … --correct',
      'command audit … --from',
      'command audit … --keep balance',
      'command audit … --keep transactions',
      'command audit … --reason',
      'command audit … --user',
      'command distribute',
      'command make-admin',
      'command make-admin … --vouch',
      'command migrate',
      'command migrate … --functions',
    ]);
    const jobs = all.filter((one) => one.startsWith('job '));
    expect(jobs).toEqual(
      expect.arrayContaining(['job settlement settle-wager', 'job maintenance audit', 'job webhooks ', 'job sweep']),
    );
    expect(compareWithAll([]).figures).toBe(
      `0 of ${documentedRoutes.length} routes, 0 of 13 commands, 0 of ${jobs.length} jobs`,
    );
  });

  it('lacks what a record has', () => {
    const record = [
      'route GET /wagers/:reference',
      commandLine('audit', ['--correct', '--account', '1', '--keep', 'balance']),
      'job webhooks deliver',
    ];
    const left = missingIn(record);
    const ran = [
      'command audit',
      'command audit … --account',
      'command audit … --correct',
      'command audit … --keep balance',
    ];
    expect(all.filter((one) => !left.includes(one)).sort()).toEqual([...ran, 'job webhooks ', ...record.slice(0, 1)]);
  });

  it('fails for a line of what Citus refused', () => {
    expect(compareWithAll(['fault 0A000']).faults).toContain('fault 0A000');
  });
});

describe('a success', () => {
  const line = (more: Partial<LogLine>): LogLine => ({ msg: 'request', method: 'GET', route: '/wagers', ...more });

  it.each<[Partial<LogLine>, string | undefined]>([
    [{ status: 200 }, 'route GET /wagers'],
    [{ status: 200, msg: 'stream' }, 'route GET /wagers'],
    [{ status: 404 }, undefined],
    [{ status: 503 }, undefined],
    [{ status: 200, msg: 'request ended before its answer was sent' }, undefined],
    [{ msg: 'settlement job done', job: '1', topic: 'settle-wager' }, 'job settlement settle-wager'],
    [{ msg: 'settlement job failed', job: '1', topic: 'settle-wager' }, undefined],
    [{ msg: 'housekeeping done', job: '1', result: [{ end: 'done' }] }, 'job maintenance housekeeping'],
    [{ msg: 'housekeeping done', job: '1', result: [{ end: 'done' }, { end: 'failed' }] }, undefined],
    [{ msg: 'outbox entries relayed' }, 'job sweep'],
  ])('of %j', (more, success) => {
    expect(successOf(line(more))).toBe(success);
  });
});
