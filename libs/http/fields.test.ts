import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ValidationError } from '#platform/errors/validation-error.js';
import * as fields from './fields.js';
import { assertSafeJson, parse } from './request-input.js';

function faultsOf(schema: z.ZodType, value: unknown): readonly string[] {
  try {
    parse(z.object({ field: schema }), { field: value });
  } catch (error) {
    if (error instanceof ValidationError) return error.faults;
    throw error;
  }
  return [];
}

describe('validation texts', () => {
  it.each([
    ['missing text', fields.line(), undefined, ['field should not be empty']],
    ['null text', fields.line(), null, ['field should not be empty']],
    ['empty text', fields.line(), '', ['field should not be empty']],
    ['blank text', fields.line(), '  ', ['field should not be empty']],
    ['number for text', fields.line(), 5, ['field must be a string']],
    ['object with a length for text', fields.line(3), { length: 9 }, ['field must be a string']],
    ['object without text for text', fields.line(3), { toString: 1, length: -1 }, ['field must be a string']],
    ['empty list for text', fields.line(3), [], ['field must be a string']],
    ['object with a length for a list', z.array(z.string()).min(1), { length: -1 }, ['field must be an array']],
    ['long text', fields.line(3), 'abcd', ['field must be shorter than or equal to 3 characters']],
    ['control character', fields.line(), 'a\tb', ['field must not contain control characters']],
    ['comma in a reference', fields.reference, 'a,b', ['field must not contain a comma']],
    ['bad e-mail', fields.email, 'nobody', ['field must be an email']],
    ['empty e-mail', fields.email, '', ['field should not be empty', 'field must be an email']],
    ['short password', fields.newPassword, '1234567', ['field must be longer than or equal to 8 characters']],
    ['password over bcrypt', fields.newPassword, 'é'.repeat(65), ['field must be shorter than or equal to 72 bytes']],
    ['fractional id', fields.idNumber, 1.5, ['field must be an integer number']],
    ['text id', fields.idNumber, '1', ['field must be an integer number']],
    ['id below one', fields.idNumber, 0, ['field must not be less than 1']],
    ['id in a path', fields.idText, 'x1', ['field must be an integer number']],
    ['huge id in a path', fields.idText, '9'.repeat(30), ['field must not be greater than 9007199254740991']],
    ['boolean in a query', fields.booleanText, 'yes', ['field must be a boolean value']],
    ['page zero', fields.page, '0', ['field must not be less than 1']],
    ['page as a list', fields.page, ['1', '2'], ['field must be an integer number']],
    ['per_page', fields.perPage, '101', ['field must not be greater than 100']],
    ['amount zero', fields.amount(), 0, ['field must not be less than 0.000001']],
    ['amount with 7 decimals', fields.amount(), 0.1234567, ['field must not have more than 6 decimal places']],
    ['huge amount', fields.amount(), 1e9 + 1, ['field must not be greater than 1000000000']],
    ['text amount', fields.amount(), '5', ['field must be a number']],
    ['funding below a cent', fields.amount(0.01), 0.009, ['field must not be less than 0.01']],
    ['odds below one', fields.odds(), 0.99, ['field must not be less than 1']],
    ['huge odds', fields.odds(), 1_000_001, ['field must not be greater than 1000000']],
    ['choice', z.enum(['asc', 'desc']), 'up', ['field must be one of the following values: asc, desc']],
    ['list item', fields.commaList(fields.idText), '1,x', ['field[1] must be an integer number']],
    ['no such day', fields.timestampFrom, '2026-02-30', ['field must be a timestamp or an ISO 8601 date']],
    ['no date', fields.timestampFrom, 'yesterday', ['field must be a timestamp or an ISO 8601 date']],
    ['day of no year', fields.day, '0000-12-31', ['field must be a date of the form 2026-01-15']],
    ['year 0', fields.timestampFrom, '0000-12-31', ['field must be a timestamp or an ISO 8601 date']],
    [
      'year 0 in UTC',
      fields.timestampFrom,
      '0001-01-01T00:00+01:00',
      ['field must be a timestamp or an ISO 8601 date'],
    ],
    ['year 10000', fields.timestampUntil, '253402300800000', ['field must be a timestamp or an ISO 8601 date']],
    ['early year', fields.bodyMoment, '1969-12-31T23:59:59Z', ['field must not be before the year 1970']],
    ['far year', fields.storedMoment, '9999-01-01', ['field must not be after the year 9998']],
  ])('%s', (_name, schema, value, expected) => {
    expect(faultsOf(schema, value)).toEqual(expected);
  });

  it('lists all faults at once, with paths, and names unknown properties', () => {
    const schema = z.strictObject({ operations: z.array(z.strictObject({ odds: z.number().min(1) })) });
    const given = { operations: [{ odds: 2 }, { odds: 0, extra: 1 }], other: true };
    expect(() => parse(schema, given)).toThrow(
      new ValidationError([
        'operations[1].odds must not be less than 1',
        'property operations[1].extra should not exist',
        'property other should not exist',
      ]),
    );
  });
});

describe('fields', () => {
  it.each([
    ['1767225600', '2026-01-01T00:00:00.000Z'],
    ['1767225600123', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T12:30:00Z', '2026-01-01T12:30:00.000Z'],
    ['2026-01-01T12:30:00+02:00', '2026-01-01T10:30:00.000Z'],
    ['2026-01-01 12:30', '2026-01-01T12:30:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['253402300799999', '9999-12-31T23:59:59.999Z'],
  ])('reads the moment %s', (text, expected) => {
    expect(parse(fields.timestampFrom, text).toISOString()).toBe(expected);
  });

  it('takes a bare date as its first moment below and its last above', () => {
    expect(parse(fields.timestampFrom, '2026-01-01').toISOString()).toBe('2026-01-01T00:00:00.000Z');
    expect(parse(fields.timestampUntil, '2026-01-01').toISOString()).toBe('2026-01-01T23:59:59.999Z');
  });

  it('turns amounts and odds into whole micro-units', () => {
    expect(parse(fields.amount(), 0.1)).toBe(100_000n);
    expect(parse(fields.amount(), 1e9)).toBe(1_000_000_000_000_000n);
    expect(parse(fields.odds(), 2.123456)).toBe(2_123_456n);
  });

  it('reads comma lists without empties and doubles', () => {
    expect(parse(fields.commaList(fields.idText), '3, 1,,3')).toEqual([3, 1]);
    expect(parse(fields.commaList(fields.reference), 'a,b ,')).toEqual(['a', 'b']);
  });
});

describe('assertSafeJson', () => {
  it.each([
    [{ name: 'a\0b' }, 'name must not contain null characters'],
    [{ meta: { list: ['\0'] } }, 'meta.list[0] must not contain null characters'],
    [JSON.parse('{"meta":{"__proto__":"x"}}'), 'property meta.__proto__ should not exist'],
    [JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`), 'must not be nested deeper than 16 levels'],
  ])('refuses %j', (value, text) => {
    expect(() => assertSafeJson(value)).toThrow(text);
  });

  it('lets ordinary bodies pass', () => {
    expect(() => assertSafeJson({ a: [1, null, { b: 'c' }], d: true })).not.toThrow();
  });
});
