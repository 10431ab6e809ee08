import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { announceDeprecation } from './deprecation.js';
import { namedEndpoints } from './endpoints.js';
import { createDocument } from './openapi/document.js';
import type { Answer } from './openapi/types.js';
import { API_VERSION } from './version.js';

describe('the version', () => {
  it('is the date of the newest entry of the change log', () => {
    const log = readFileSync(new URL('../../../docs/changelog.md', import.meta.url), 'utf8');
    const dates = [...log.matchAll(/^## (\d{4}-\d\d-\d\d)$/gm)].map(([, date]) => date);
    expect(dates[0]).toBe(API_VERSION);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(createDocument().info.version).toBe(API_VERSION);
  });
});

describe('a deprecated endpoint', () => {
  const deprecated = { since: '2026-12-01', sunset: '2027-12-01', instead: 'GET /bets/history' };
  const betRead = { ...namedEndpoints.betRead, deprecated };

  it('says so in each of its answers', () => {
    const headers: string[] = ['Ledger-Version', API_VERSION];
    let isPassedOn = false;
    const [announce] = announceDeprecation(betRead);
    announce?.(undefined as never, { locals: { headers } } as unknown as Response, () => {
      isPassedOn = true;
    });
    expect(headers.slice(2)).toEqual(['Deprecation', '@1796083200', 'Sunset', 'Wed, 01 Dec 2027 00:00:00 GMT']);
    expect(isPassedOn).toBe(true);
    expect(announceDeprecation(namedEndpoints.betRead)).toEqual([]);
  });

  it('is marked in the document, with the headers and what to call instead', () => {
    const { paths, components } = createDocument({ endpoints: { ...namedEndpoints, betRead } });
    const operation = paths['/bets/{id}']?.get;
    expect(operation).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(
        'Deprecated since 2026-12-01, and gone after 2027-12-01: use `GET /bets/history`.',
      ),
    });
    const named = Object.values(operation?.responses ?? {}).map((answer) =>
      Object.keys((answer as Answer).headers ?? {}),
    );
    expect(named.length).toBeGreaterThan(3);
    for (const names of named) expect(names).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
    expect(Object.keys(components.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
    expect(Object.keys(createDocument().components.headers)).not.toContain('Sunset');
  });
});
