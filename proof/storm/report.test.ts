import { describe, expect, it } from '@jest/globals';
import { findSlowRecoveries, type StormReport, textOf } from './report.js';
import { createStormScreen, lineOf } from './storm-screen.js';

const report: StormReport = {
  faults: new Map([
    ['API killed', 3],
    ['Redis emptied', 0],
  ]),
  recoveries: [
    { process: 'api-1', faults: ['API killed'], tookMs: 1_000, withinMs: 10_000 },
    { process: 'api-2', faults: ['API killed'], tookMs: 3_000, withinMs: 10_000 },
    { process: 'api-1', faults: ['API killed', 'Redis emptied'], tookMs: 10_001, withinMs: 10_000 },
    { process: 'PostgreSQL', faults: ['API killed'], tookMs: 400, withinMs: 10_000 },
  ],
  facts: ['12,345 effects acknowledged, each once'],
  findings: [],
};

describe('the report of a storm', () => {
  it('has a line for each kind of fault, with its recoveries, the facts and the verdict', () => {
    const lines = textOf(report)
      .split('\n')
      .map((line) => line.trim().replace(/ {2,}/g, ' | '));
    expect(lines).toContain('API killed | 3 | 2 | 2.00 s | 3.00 s');
    expect(lines).toContain('Redis emptied | 0 | 0');
    expect(lines).toContain('after several faults together | 1 | 10.00 s | 10.00 s');
    expect(lines).toContain('PostgreSQL itself, from its start | 1 | 0.40 s | 0.40 s');
    expect(lines).toContain('12,345 effects acknowledged, each once');
    expect(lines).toContain(
      'No findings: every acknowledged effect is in the database exactly once, and nothing else.',
    );
  });

  it('shows findings, the first fifty of many', () => {
    const findings = Array.from({ length: 60 }, (_none, index) => ({ check: 'effects', text: `${index} is lost` }));
    const text = textOf({ ...report, findings });
    expect(text).toContain('FOUND  effects: 49 is lost\n  … and 10 more\n  60 findings.');
    expect(text).not.toContain('No findings');
  });

  it('counts a recovery that took longer than its faults allow as a finding', () => {
    const silent = { process: 'worker-1', faults: ['silent'], tookMs: 29_000, withinMs: 30_000 };
    expect(findSlowRecoveries([...report.recoveries, silent])).toEqual([
      { check: 'recovery', text: 'api-1 was in service only 10.00 s after the end of: API killed, Redis emptied' },
    ]);
  });
});

describe('the screen of a storm', () => {
  const figures = { seconds: 15.2, ofSeconds: 60, requests: 1_234, retries: 5, effects: 678 };

  it('redraws one line that never wraps', () => {
    const written: string[] = [];
    const view = createStormScreen({ isTTY: true, columns: 40, write: (text) => written.push(text) });
    view.live(() => lineOf({ ...figures, underWay: ['API killed (api-1)'] }));
    view.say('Done.');
    view.end();
    expect(written).toEqual([
      '\r\u001b[2K  [####............] 15 of 60 s  1,234 ',
      '\r\u001b[2KDone.\n',
      '\r\u001b[2K',
    ]);
    expect(lineOf({ ...figures, underWay: ['API killed (api-1)', 'Redis emptied (Redis)'] })).toBe(
      '[####............] 15 of 60 s  1,234 requests, 5 retries, 678 effects | API killed (api-1) | Redis emptied (Redis)',
    );
  });

  it('writes only permanent lines where the output is no terminal', () => {
    const written: string[] = [];
    const view = createStormScreen({ write: (text) => written.push(text) });
    view.live(() => 'never shown');
    view.say('Done.');
    view.end();
    expect(written.join('')).toBe('Done.\n');
  });
});
