import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalText } from './canonical-body.js';

const text = (body: unknown, areAbsent = true) => canonicalText(body, { areAbsent });

describe('the text of what a body means', () => {
  it.each([
    [
      { a: 1, b: { c: [1, 2], d: 'x' } },
      { b: { d: 'x', c: [1, 2] }, a: 1 },
    ],
    [{ a: 1, b: null }, { a: 1 }],
    [{ list: [{ data: { a: 1, b: null } }] }, { list: [{ data: { a: 1 } }] }],
    [{ meta: { x: 1, y: null } }, { meta: { y: null, x: 1 } }],
  ])('is that of %j for %j', (one, other) => {
    expect(text(other)).toBe(text(one));
  });

  it.each([
    [{ list: [1, 2] }, { list: [2, 1] }],
    [{ list: [null] }, { list: [] }],
    [{ a: 1 }, { a: '1' }],
    [{ meta: {} }, { meta: { a: null } }],
    [{ meta: { deep: { meta: {} } } }, { meta: { deep: { meta: {}, a: null } } }],
    [{ preferences: {} }, { preferences: { a: null } }],
  ])('differs for %j and %j', (one, other) => {
    expect(text(other)).not.toBe(text(one));
  });

  it('has a null that is a value', () => {
    expect(text({ a: null }, false)).not.toBe(text({}, false));
  });

  it('is JSON of the same value, in any order of the fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__')); // no request has it
        expect(JSON.parse(text({ meta: [value] }))).toEqual(JSON.parse(JSON.stringify({ meta: [value] })));
      }),
    );
  });
});
