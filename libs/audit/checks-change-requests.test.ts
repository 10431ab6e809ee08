import { describe, it } from '@jest/globals';
import { type Case, checks, setUpLedger } from '#testing/corrupted-ledger.js';
import { requestRow, requestTold } from '#testing/request-rows.js';

const ledger = setUpLedger();

const wrong: Record<string, Case> = {
  'a request without an event': {
    sql: () => requestRow('pending'),
    found: { [checks.requestTold]: 1 },
    said: () => 'was made, and has 0 such events',
  },
  'an end without an event': {
    sql: () => [requestRow('rejected'), requestTold([40])],
    found: { [checks.requestTold]: 1 },
    said: () => 'is rejected, and has 0 events of an end',
  },
  'an end with the event of another': {
    sql: () => [requestRow('rejected'), requestTold([40]), requestTold([44])],
    found: { [checks.requestTold]: 1 },
    said: () => 'is rejected, and its end was of kind 44',
  },
  'an executed request without an effect': {
    sql: () => [requestRow('executed'), requestTold([40]), requestTold([42])],
    found: { [checks.requestDone]: 1 },
    said: () => 'has 0 effects',
  },
  'a request that its maker has decided': {
    sql: () => [
      'ALTER TABLE change_requests DROP CONSTRAINT change_requests_another_decides',
      requestRow('rejected', { decided_by: '1' }),
      requestTold([40]),
      requestTold([43]),
    ],
    found: { [checks.requestDecider]: 1 },
  },
  'a request that should have expired': {
    sql: () => [requestRow('pending', { expires_at: `now() - interval '16 minutes'` }), requestTold([40])],
    found: { [checks.requestOverdue]: 1 },
  },
};

const tolerated: Record<string, Case> = {
  'a request that waits': { sql: () => [requestRow('pending'), requestTold([40])], found: {} },
  'a request that was rejected': {
    sql: () => [requestRow('rejected'), requestTold([40]), requestTold([43])],
    found: {},
  },
  'a request that is due': {
    sql: () => [requestRow('pending', { expires_at: `now() - interval '14 minutes'` }), requestTold([40])],
    found: {},
  },
};

describe('the audit finds', () => {
  it.each(Object.entries(wrong))('%s', (_what, each) => ledger.expectFound(each));
});

describe('the audit accepts', () => {
  it.each(Object.entries(tolerated))('%s', (_what, each) => ledger.expectFound(each));
});
