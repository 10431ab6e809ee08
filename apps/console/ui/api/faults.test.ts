import { describe, expect, it } from '@jest/globals';
import { LedgerError, NoAnswer } from './errors.js';
import { type Attempt, sortFaults } from './faults.js';

function refusal(status: number, body: object, headers: Record<string, string> = {}): LedgerError {
  return new LedgerError('POST /x', new Response(null, { status, headers }), body, 'key');
}

const FIELDS = ['amount', 'user', 'operations'];
const FIRST = { hasKey: true, isUnanswered: false };
const SECOND = { hasKey: true, isUnanswered: true };
const WITHOUT_KEY = { hasKey: false, isUnanswered: false };

describe('the faults of a request', () => {
  it('stand at their fields, by the path in front of each', () => {
    const message = [
      'amount must be a number',
      'operations[2].data.odds should not be empty',
      'property x should not exist',
    ];
    expect(sortFaults(refusal(400, { message, statusCode: 400 }), FIELDS, FIRST)).toEqual({
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
      FIRST,
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
    const { isFinal, retryAfterSeconds, general } = sortFaults(error, FIELDS, FIRST);
    expect([isFinal, retryAfterSeconds, general.length]).toEqual([false, seconds, 1]);
  });

  it('leave the key of an attempt without an answer to it, when the next one is malformed', () => {
    const malformed = refusal(400, { message: ['amount must be a number'], statusCode: 400 });
    const isFinal = (attempt: Attempt) => sortFaults(malformed, FIELDS, attempt).isFinal;
    expect([isFinal(FIRST), isFinal(SECOND)]).toEqual([true, false]);
  });

  it('tell that the attempt without an answer has arrived, when the next one has other values', () => {
    const { general, isFinal } = sortFaults(refusal(422, { error: 'This Idempotency-Key' }), FIELDS, SECOND);
    expect([general, isFinal]).toEqual([[expect.stringContaining('The earlier attempt arrived')], true]);
  });

  it.each([
    ['the answer was lost', new NoAnswer()],
    ['the API was not reached, or did not answer', refusal(503, { error: 'Away' }, { 'Retry-After': '2' })],
  ])('tell to look first when %s and no key makes another attempt the same request', (_case, error) => {
    const { general } = sortFaults(error, FIELDS, WITHOUT_KEY);
    expect(general).toContain('It may have been done: look before you send it again.');
    expect(sortFaults(error, FIELDS, FIRST).general).not.toContain(general.at(-1));
  });
});
