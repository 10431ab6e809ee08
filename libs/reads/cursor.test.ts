import { describe, expect, it } from '@jest/globals';
import { type CursorValue, cursorValues, encodeCursor, parseCursor } from './cursor.js';

const scope = { list: '/bets/history', accountIds: [7n], user_ids: [1n, 2n], sort_by: 'created_at' };

function roundTrip(values: readonly CursorValue[]): readonly CursorValue[] | undefined {
  const parsed = parseCursor(encodeCursor(scope, values));
  return parsed && cursorValues(parsed, scope);
}

const packed = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');

describe('a cursor', () => {
  it('carries times, integers, texts and nulls', () => {
    const values = [new Date('2026-01-15T18:36:00.125Z'), -5n, 2n ** 62n, 'söme, "text" 💶', '', null];
    expect(roundTrip(values)).toEqual(values);
  });

  it('fits its list, with the filters in any order', () => {
    const parsed = parseCursor(encodeCursor(scope, [3n]));
    const { user_ids, ...others } = scope;
    expect(parsed && cursorValues(parsed, { user_ids: [...user_ids].reverse(), page: undefined, ...others })).toEqual([
      3n,
    ]);
  });

  it.each([
    ['list', { list: '/bets/open-bets' }],
    ['account', { accountIds: [8n] }],
    ['filter', { user_ids: [1n] }],
    ['added filter', { created_after: new Date(0) }],
    ['sort', { sort_by: 'effective_odds' }],
  ])('is refused for another %s', (_what, other) => {
    const parsed = parseCursor(encodeCursor(scope, [3n]));
    expect(() => parsed && cursorValues(parsed, { ...scope, ...other })).toThrow(
      'cursor must be used with the account',
    );
  });

  const whole = encodeCursor(scope, [3n]);
  const { hash } = parseCursor(whole) ?? {};

  it.each([
    ['no base64', '!!'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no list', packed({})],
    ['another version', packed([2, hash, 'i3'])],
    ['a value without a type', packed([1, hash, '3'])],
    ['a value of an unknown type', packed([1, hash, 'x3'])],
    ['a number for a text', packed([1, hash, 3])],
    ['an integer beyond 64 bits', packed([1, hash, 'i9223372036854775807'])],
    ['an integer written otherwise', packed([1, hash, 'i03'])],
    ['a time beyond the year 9999', packed([1, hash, 't253402300800000'])],
    ['a null character', packed([1, hash, 's\0'])],
    ['half a surrogate pair', packed([1, hash, 's\ud800'])],
    ['padding', `${whole}=`],
    ['the other alphabet', encodeCursor(scope, ['>>>???']).replaceAll('-', '+').replaceAll('_', '/')],
    ['a shorter text', whole.slice(0, -2)],
    ['a longer text', `${whole}A`],
    ['a text of endless length', encodeCursor(scope, ['x'.repeat(2_000)])],
  ])('is malformed: %s', (_what, text) => {
    expect(parseCursor(text)).toBeUndefined();
  });
});
