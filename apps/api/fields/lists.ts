import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { PageRequest } from '#http/paging.js';

// Query fields that several lists and reads share.

const NOT_A_NUMBER = 'must be a number';
const NUMBER = /^-?\d+(\.\d+)?$/;

const numberText = fields.textForm(z.string({ error: NOT_A_NUMBER }).regex(NUMBER, NOT_A_NUMBER).transform(Number));

export const oddsText = numberText.pipe(fields.odds());
/** No amount is 0, but "at least 0" is a valid filter. */
export const amountText = numberText.pipe(fields.amount(0));

const MOMENT = 'Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time';
const examples = ['2026-01-15', '2026-01-15T18:30:00Z'];

export const createdFrom = fields.timestampFrom
  .optional()
  .meta({ description: `Not before this moment. ${MOMENT}.`, examples });
export const createdUntil = fields.timestampUntil
  .optional()
  .meta({ description: `Not after this moment. ${MOMENT}, where a bare date includes its whole day.`, examples });

/** An empty list filters nothing, like an absent one. */
const filled = <Item>(items: readonly Item[]) => (items.length === 0 ? undefined : items);

export const ids = fields
  .commaList(fields.idText)
  .transform((items) => filled(items.map(BigInt)))
  .optional();

/** `visibleAccounts` narrows these to what the caller may see. */
export const accountIds = ids.meta({ description: 'For admins: these accounts only. Its own, unless given.' });

/** `visibleAccount` narrows this to what the caller may see. */
export const accountId = fields.idText
  .transform(BigInt)
  .optional()
  .meta({ description: 'For admins: the account that is looked into. Its own, unless given.' });

export const references = fields.commaList(fields.reference).transform(filled).optional();

export const oneOfEach = <const Item extends z.ZodType<string, string>>(item: Item) =>
  fields.commaList(item).transform(filled).optional();

export const pageFields = { page: fields.page, per_page: fields.perPage };
export const sortDirection = z.enum(['asc', 'desc']).default('asc').meta({ description: 'Up or down.' });

type PageQuery = { readonly page: number; readonly per_page: number };

export const pageOf = (query: PageQuery): PageRequest => ({ page: query.page, perPage: query.per_page });

export const rangeOf = (query: PageQuery) => ({ offset: (query.page - 1) * query.per_page, limit: query.per_page });
