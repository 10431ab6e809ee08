import { describe, expect, it } from '@jest/globals';
import { LedgerError, NoAnswer } from './errors.js';
import { sortFaults } from './faults.js';

function refusal(status: number, body: object, headers: Record<string, string> = {}): LedgerError {
  return new LedgerError('POST /x', new Response(null, { status, headers }), body, 'key');
}

const FIELDS = ['amount', 'user', 'operations'];

describe('the faults of a request', () => {
  it('stand at their fields, by the path in front of each', () => {
    const message = [
      'amount must be a number',
      'operations[2].data.odds should not be empty',
      'property x should not exist',
    ];
    expect(sortFaults(refusal(400, { message, statusCode: 400 }), FIELDS)).toEqual({
      atFields: { amount: ['must be a number'], operations: ['should not be empty'] },
      general: ['property x should not exist'],
      retryAfterSeconds: undefined,
      isFinal: true,
    });
  });

  it('stand above the form when a rule refuses it', () => {
    const { atFields, general, isFinal } = sortFaults(
      refusal(409, { status: 409, error: 'Reference is taken' }),
      FIELDS,
    );
    expect([atFields, general, isFinal]).toEqual([{}, ['Reference is taken'], true]);
  });

  it.each([
    ['the answer was lost', new NoAnswer(), undefined],
    ['the session has ended', refusal(401, { message: 'Unauthorized' }), undefined],
    ['there were too many requests', refusal(429, { error: 'Too many' }, { 'Retry-After': '7' }), 7],
    ['the same request still runs', refusal(409, { error: 'Running' }, { 'Retry-After': '1' }), 1],
    ['the database is away', refusal(503, { error: 'Unavailable' }, { 'Retry-After': '1' }), 1],
    ['the commit was not confirmed', refusal(503, { error: 'Unknown' }), undefined],
  ])('leave the request the same when %s', (_case, error, seconds) => {
    const { isFinal, retryAfterSeconds, general } = sortFaults(error, FIELDS);
    expect([isFinal, retryAfterSeconds, general.length]).toEqual([false, seconds, 1]);
  });
});
