import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { PageRequest } from '#http/paging.js';

// What lists and other reads have in common in their queries.

const NOT_A_NUMBER = 'must be a number';
const NUMBER = /^-?\d+(\.\d+)?$/;

const numberText = z.string({ error: NOT_A_NUMBER }).regex(NUMBER, NOT_A_NUMBER).transform(Number);

export const oddsText = numberText.pipe(fields.odds());
/** Nothing has an amount of 0, but "at least 0" says something. */
export const amountText = numberText.pipe(fields.amount(0));

/** A list without a single item filters as little as no list. */
const filled = <Item>(items: readonly Item[]) => (items.length === 0 ? undefined : items);

export const ids = fields
  .commaList(fields.idText)
  .transform((items) => filled(items.map(BigInt)))
  .optional();

/** Whose account is looked into: see `visibleAccount`. */
export const accountId = fields.idText.transform(BigInt).optional();

export const references = fields.commaList(fields.reference).transform(filled).optional();

export const oneOfEach = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  fields.commaList(z.enum(values)).transform(filled).optional();

export const pageFields = { page: fields.page, per_page: fields.perPage };
export const sortDirection = z.enum(['asc', 'desc']).default('asc');

export const trailFields = {
  include_bet_trails: fields.booleanText.default(false),
  include_bet_trails_transactions: fields.booleanText.default(false),
};

/** Asking for the transactions alone asks for the trails that hold them. */
export function trailsWanted(query: {
  readonly include_bet_trails: boolean;
  readonly include_bet_trails_transactions: boolean;
}) {
  if (query.include_bet_trails_transactions) return 'with transactions';
  return query.include_bet_trails ? 'trails' : 'none';
}

type PageQuery = { readonly page: number; readonly per_page: number };

export const pageOf = (query: PageQuery): PageRequest => ({ page: query.page, perPage: query.per_page });

export const rangeOf = (query: PageQuery) => ({ offset: (query.page - 1) * query.per_page, limit: query.per_page });
