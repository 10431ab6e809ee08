import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ValidationError } from '#platform/errors/validation-error.js';
import * as fields from './fields.js';
import { formerly, parseQuery, parseQueryText, queryFormOf, readQuery } from './request-input.js';

const numbers = fields.commaList(fields.idText).optional();
const schema = z
  .object({
    page: fields.page,
    cursor: z.string().optional(),
    user_id: formerly(numbers, 'user_ids', 'users').meta({ description: 'A list with former names.' }),
    sort: formerly(z.enum(['asc', 'desc']).default('asc'), 'order'),
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, { path: ['page'], message: 'is too much' })
  .transform((query) => ({ ...query, wasTransformed: true }));
const form = queryFormOf(schema);

const read = (text: string, of = form): unknown => parseQuery(of, parseQueryText(text));

function faultsOf(text: string, of = form): readonly string[] {
  try {
    return [`no fault: ${JSON.stringify(read(text, of))}`];
  } catch (error) {
    if (error instanceof ValidationError) return error.faults;
    throw error;
  }
}

describe('a query', () => {
  it.each([
    ['user_id=1,2'],
    ['user_id=1&user_id=2'],
    ['user_id[]=1&user_id[]=2'],
    ['user_id%5B%5D=1&user_id=2'],
    ['user_id=1&user_id[]=,2,'],
    ['user_ids=1,2'],
    ['users[]=1&users=2'],
    ['user_ids=&user_id=1,2&order='],
  ])('may write a list in many ways: %s', (text) => {
    expect(read(text)).toEqual({ user_id: expect.arrayContaining([1, 2]), sort: 'asc', wasTransformed: true });
  });

  it('gives a former name the value of the present one', () => {
    expect(read('order=desc')).toEqual({ sort: 'desc', wasTransformed: true });
    expect(read('sort=desc&user_id=')).toEqual(read('order=desc'));
  });

  it.each([
    ['colour=red', ['property colour should not exist']],
    ['colour', ['property colour should not exist']],
    ['%63olour=', ['property colour should not exist']],
    ['Page=1', ['property Page should not exist']],
    ['a%00b=1', ['property a\\0b should not exist']],
    ['__proto__=1&constructor=1', ['property __proto__ should not exist', 'property constructor should not exist']],
    ['page[]=1', ['property page[] should not exist']],
    ['user_id[0]=1', ['property user_id[0] should not exist']],
    ['meta_a=b', ['property meta_a should not exist']],
    ['page=1&page=1', ['page must not be given more than once']],
    ['page=&page=1', ['page must not be given more than once']],
    ['order=asc&sort=asc', ['sort must not be given together with order']],
    ['user_ids=1&user_id[]=1', ['user_id must not be given together with user_ids']],
    ['users=1&user_ids=2', ['user_ids must not be given together with users']],
  ])('is refused: %s', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('is refused with all its faults, by the names that it has itself', () => {
    expect(faultsOf('order=up&user_ids=x,-1&page=1&page=0&colour=red')).toEqual([
      'user_ids[0] must be an integer number',
      'user_ids[1] must not be less than 1',
      'order must be one of the following values: asc, desc',
      'page must not be given more than once',
      'property colour should not exist',
    ]);
    expect(faultsOf('page=1&cursor=')).toEqual(['page is too much']);
  });

  it('is read to its end, however many parameters it has', () => {
    const many = Array.from({ length: 1_500 }, () => 'user_id=1').join('&');
    expect(faultsOf(`${many}&colour=red`)).toEqual(['property colour should not exist']);
    expect(read(many)).toMatchObject({ user_id: [1] });
    const different = Array.from({ length: 1_001 }, (_, index) => `user_id=${index + 1}`).join('&');
    expect(faultsOf(different)).toEqual(['user_id must contain no more than 1000 elements']);
  });

  it('has names of the caller where its schema is open to them', () => {
    const open = queryFormOf(z.looseObject({ page: fields.page }));
    expect(read('meta_a=b&meta_b=', open)).toEqual({ meta_a: 'b', meta_b: '' });
    expect(faultsOf('meta=b&colour=red&meta_a=1&meta_a=2', open)).toEqual([
      'property meta should not exist',
      'property colour should not exist',
      'meta_a must not be given more than once',
    ]);
  });

  it('that a request does not have is not read', () => {
    const request = (url: string) => ({
      url,
      get query(): never {
        throw new Error('the parser has run');
      },
    });
    expect(readQuery(queryFormOf(undefined), request('/bets/make-offer'))).toBeUndefined();
    expect(readQuery(form, request('/bets'))).toEqual({ sort: 'asc', wasTransformed: true });
    expect(() => readQuery(form, request('/bets?'))).toThrow('the parser has run');
  });

  it('of a route without one has no parameter', () => {
    expect(read('', queryFormOf(undefined))).toBeUndefined();
    expect(faultsOf('a=1', queryFormOf(undefined))).toEqual(['property a should not exist']);
  });
});
