import { z } from 'zod';
import * as fields from '#http/fields.js';
import { formerly } from '#http/request-input.js';
import { CURSOR_MALFORMED, type ParsedCursor, parseCursor } from '#reads/cursor.js';

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

export const closesUntil = fields.timestampUntil
  .optional()
  .meta({ description: `Only those with a \`closes_at\` not after this moment. ${MOMENT}.`, examples });

/** An empty list filters nothing, like an absent one. */
const filled = <Item>(items: readonly Item[]) => (items.length === 0 ? undefined : items);

/** `7` and `07` are one id: a list reads the rows of each account that it gets. */
export const ids = fields
  .commaList(fields.idText)
  .transform((items) => filled([...new Set(items)].map(BigInt)))
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

const directions = z.enum(['asc', 'desc']);
const UP_OR_DOWN = { description: 'Up or down.' };

export const sortDirection = directions.default('asc').meta(UP_OR_DOWN);
/** For lists that show the newest first, unless asked otherwise. */
export const newestFirst = directions.default('desc').meta(UP_OR_DOWN);

/** Of a list that has one order. */
export const onlySort = <const Name extends string>(name: Name) =>
  z
    .enum([name])
    .default(name as never)
    .meta({ description: 'The only order of this list.' });

/** The users of a list's rows. */
export const userFilters = {
  user_id: formerly(ids.meta({ description: 'Only of these users; those of `user_reference` too.' }), 'user_ids'),
  user_reference: formerly(
    references.meta({ description: 'Only of these users; those of `user_id` too.' }),
    'user_references',
  ),
};

export const wagerFilter = formerly(references.meta({ description: 'Only on these wagers.' }), 'wager_references');

/** Empty: the first page. */
export const cursor = z
  .string()
  .transform((text, context): ParsedCursor | 'first' => {
    const parsed = text === '' ? 'first' : parseCursor(text);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: CURSOR_MALFORMED, input: text });
    return z.NEVER;
  })
  .optional();

export const pageFields = {
  page: fields.page,
  per_page: fields.perPage,
  cursor: cursor.meta({
    description:
      'The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`.',
  }),
  include_totals: fields.booleanText
    .optional()
    .meta({ description: 'Whether a page by cursor has the totals; a page by number always has them.' }),
};

export const createdFilters = { created_after: createdFrom, created_before: createdUntil };

/** The order of a list by id, which has this usual direction. */
export const byId = <Direction extends typeof sortDirection>(direction: Direction) => ({
  sort_by: onlySort('id'),
  sort_direction: direction,
});

interface TimesAndOrder {
  readonly sort_direction: 'asc' | 'desc';
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
}

/** What most lists are read with beside their page and their own filters. */
export const timesAndOrderOf = ({ sort_direction, created_after, created_before }: TimesAndOrder) => ({
  descending: sort_direction === 'desc',
  createdFrom: created_after,
  createdUntil: created_before,
});

interface PageChoice {
  readonly page?: unknown;
  readonly cursor?: unknown;
}

/** The fault of a query that names one thing twice. It joins the faults of the single fields. */
export const notBoth = (name: string, other: string) => ({
  path: [name],
  message: `must not be given together with ${other}`,
  when: () => true,
});

/** Refuses a query that names its page twice. */
export const namesOnePage = <Schema extends z.ZodType<PageChoice>>(query: Schema): Schema =>
  query.refine(({ page, cursor: given }) => page === undefined || given === undefined, notBoth('page', 'cursor'));

/** The query of a list: its page, and its own filters and sort. */
export const listQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  namesOnePage(z.object({ ...pageFields, ...filters }));
