import { z } from 'zod';

// The parts of answers. A schema describes an answer before it becomes JSON: a moment is a Date.

export const id = (description: string) => z.int().min(1).meta({ description });

/** Money and odds. */
export const decimal = (description: string) => z.number().meta({ description: `${description} At most 6 decimals.` });

export const text = (description: string) => z.string().meta({ description });

export const moment = (description: string) => z.date().meta({ description });

export const count = (description: string) => z.int().min(0).meta({ description });

/** For people to read. The possible texts, or similar ones, are its examples. */
const messageText = (texts: readonly string[]) =>
  z.string().meta({ description: 'What was done, in a sentence for people.', examples: texts });

export const messageOnly = (...texts: readonly string[]) => z.strictObject({ message: messageText(texts) });

export const dataWith = <Data extends z.ZodType>(data: Data, ...texts: readonly string[]) =>
  z.strictObject({ data, message: messageText(texts) });

const one = { examples: [1] };

const cursorText = (description: string) =>
  z
    .string()
    .nullable()
    .optional()
    .meta({ description, examples: [null] });

/** A page by number has all but the cursors. A page by cursor has neither number nor places, and totals on request. */
export const frame = {
  per_page: z.int().meta({ description: 'How many to a page.', examples: [20] }),
  page: z
    .int()
    .optional()
    .meta({ description: 'Which page, counted from 1; absent on a page by cursor.', ...one }),
  total: count('How many there are on all pages, at the moment of the page. On a page by cursor only on request.')
    .optional()
    .meta(one),
  from: z
    .int()
    .nullable()
    .optional()
    .meta({
      description: 'The place of the first one shown; null on an empty page, absent on a page by cursor.',
      ...one,
    }),
  to: z
    .int()
    .nullable()
    .optional()
    .meta({
      description: 'The place of the last one shown; null on an empty page, absent on a page by cursor.',
      ...one,
    }),
  last_page: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The number of pages. On a page by cursor only on request.', ...one }),
  next: cursorText(
    'The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows.',
  ),
  previous: cursorText('The cursor of the page before; null: there is none. Only on a page by cursor.'),
};

/** A page of a list. */
export const pageWith = <Item extends z.ZodType, More extends z.ZodRawShape = Record<never, never>>(
  item: Item,
  more: More = {} as More,
) => z.strictObject({ data: z.array(item), ...frame, ...more });
