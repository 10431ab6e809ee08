import { z } from 'zod';
import { momentOf } from '#core/moment.js';
import { AMOUNT_MAX_MICROS, microsFromNumber, numberFromMicros, ODDS_MAX_MICROS, oddsFromNumber } from '#core/money.js';
import type { UserIdentifier } from '#core/needs.js';
import { DAY_MS } from '#platform/config/time-units.js';

// Each kind of field is defined once: these schemas validate, and the OpenAPI document is generated from them.

/** Schemas of texts that stand for another type: in a path or a query everything is text. */
const textForms = new WeakSet<z.core.$ZodType>();

/** Piped into another schema, it is documented as that schema: `page` is a number from 1, not a text of digits. */
export function textForm<Schema extends z.ZodType>(schema: Schema): Schema {
  textForms.add(schema);
  return schema;
}

export const isTextForm = (schema: z.core.$ZodType): boolean => textForms.has(schema);

const MAX_ID = Number.MAX_SAFE_INTEGER;
const MAX_PAGE = 1_000_000_000;
const MAX_LIST_ITEMS = 1_000;
const INTEGER = /^-?\d+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const CONTROL = /[\u0000-\u001f\u007f]/;

const noControlCharacters = (schema: z.ZodString) =>
  schema.refine((text) => !CONTROL.test(text), 'must not contain control characters');

/** A text of one line, such as a name. */
export const line = (maximum = 255) =>
  noControlCharacters(z.string().min(1).max(maximum))
    .refine((text) => text === '' || text.trim() !== '', 'should not be empty')
    .meta({ pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f]+$' });

/** What a business calls a thing. It has no comma, because commas separate lists in queries. */
export const referenceUpTo = (maximum: number) =>
  noControlCharacters(z.string().min(1).max(maximum))
    .refine((text) => !text.includes(','), 'must not contain a comma')
    .meta({ pattern: '^[^,\\u0000-\\u001f\\u007f]+$' });

/** Of a user or a wager. */
export const reference = referenceUpTo(255);

/** Any text may be searched for; one with control characters matches nothing. */
export const search = z.string().max(255);

export const email = z
  .string()
  .min(1)
  .max(254)
  .refine((text) => z.email().safeParse(text).success, 'must be an email')
  .meta({ format: 'email' });

/** bcrypt reads 72 bytes. Of a longer password it reads a digest (libs/accounts/access/hashing.ts). */
const MAX_PASSWORD_BYTES = 72;
/** These may take more bytes: a password of this length is allowed in every script. */
const MAX_WIDE_CHARACTERS = 64;
export const NEW_PASSWORD_TEXT =
  `At most ${MAX_PASSWORD_BYTES} bytes in UTF-8; up to ${MAX_WIDE_CHARACTERS} characters may take more. ` +
  'Not the name of the business, its e-mail address, the name of this service, or a common or breached password.';

export const newPassword = z
  .string()
  .min(1)
  .min(8)
  .refine(
    (text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES || [...text].length <= MAX_WIDE_CHARACTERS,
    `must be shorter than or equal to ${MAX_PASSWORD_BYTES} bytes`,
  )
  .meta({ format: 'password', maxLength: MAX_PASSWORD_BYTES });

/** A secret to check: its form does not matter, only whether it is right. */
export const secret = z.string().min(1).max(1_024).meta({ format: 'password' });

const NOT_AN_INTEGER = 'must be an integer number';

export const idNumber = z
  .int({ error: ({ code, input }) => (code === 'invalid_type' && input != null ? NOT_AN_INTEGER : undefined) })
  .min(1)
  .max(MAX_ID);

export const integerText = textForm(
  z.string({ error: NOT_AN_INTEGER }).regex(INTEGER, NOT_AN_INTEGER).transform(Number),
);

const STRICT_INTEGER = /^(0|-?[1-9]\d*)$/;

/** A number in one writing only: neither `01` nor `1e3`. */
export const strictIntegerText = textForm(
  z.string({ error: NOT_AN_INTEGER }).regex(STRICT_INTEGER, NOT_AN_INTEGER).transform(Number),
);

export const bigintOrNull = (id: number | null | undefined): bigint | null => (id == null ? null : BigInt(id));

/** The user whom an id, a reference or both name. */
export const userIdentifier = (
  id: number | null | undefined,
  reference: string | null | undefined,
): UserIdentifier => ({ id: id == null ? undefined : BigInt(id), reference: reference ?? undefined });

/** An id in a path or a query. */
export const idText = integerText.pipe(idNumber);

const SMALLEST = 0.000001;
const MAX_AMOUNT = numberFromMicros(AMOUNT_MAX_MICROS);
const MAX_ODDS = numberFromMicros(ODDS_MAX_MICROS);
const DECIMALS_FAULT = 'must not have more than 6 decimal places';

/** Converts to whole micro-units, so that no floating point enters the ledger. */
function microUnits<Units>(schema: z.ZodNumber, read: (value: number) => Units | undefined) {
  return schema.transform((value, context): Units => {
    const units = read(value);
    if (units !== undefined) return units;
    context.addIssue({ code: 'custom', message: DECIMALS_FAULT, input: value });
    return z.NEVER;
  });
}

export const amount = (minimum = SMALLEST) => microUnits(z.number().min(minimum).max(MAX_AMOUNT), microsFromNumber);
/** An amount that moves no money, and stays the number that it is. */
export const plainAmount = z
  .number()
  .min(0)
  .max(MAX_AMOUNT)
  .refine((value) => microsFromNumber(value) !== undefined, DECIMALS_FAULT);
export const odds = (minimum = 1) => microUnits(z.number().min(minimum).max(MAX_ODDS), oddsFromNumber);

export const booleanText = textForm(
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be a boolean value' })
    .transform((text) => text === 'true' || text === '1'),
).pipe(z.boolean());

export const page = integerText.pipe(z.int().min(1).max(MAX_PAGE)).optional().meta({
  description: 'Which page, counted from 1; the first, unless given. Not together with `cursor`.',
});
export const perPage = integerText.pipe(z.int().min(1).max(100)).default(20).meta({
  description: 'How many to a page.',
});

/** Schemas of texts with commas between their items. A query may repeat them instead. */
const listForms = new WeakSet<z.core.$ZodType>();

export function listForm<Schema extends z.ZodType>(schema: Schema): Schema {
  listForms.add(schema);
  return schema;
}

/** Whether a field is a list, however it is wrapped. */
export function isListForm(schema: z.core.$ZodType): boolean {
  if (listForms.has(schema)) return true;
  const { innerType, in: input } = schema._zod.def as { readonly innerType?: z.core.$ZodType; in?: z.core.$ZodType };
  const inside = innerType ?? input;
  return inside !== undefined && isListForm(inside);
}

/** `a,b,c` in a query, without empty items and duplicates. */
export const commaList = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  listForm(
    textForm(
      z
        .string({ error: 'must be a comma separated list' })
        .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '')),
    ),
  ).pipe(z.array(item).max(MAX_LIST_ITEMS));

const SECONDS_BELOW = 100_000_000_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Neither year 0, which PostgreSQL does not know, nor a year of five digits. */
function inFourDigits(date: Date): Date | undefined {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? date : undefined;
}

function calendarDay(text: string): Date | undefined {
  const date = inFourDigits(new Date(`${text}T00:00:00.000Z`));
  // JavaScript turns 30 February into a day of March, so the text is compared with the result.
  return date?.toISOString().startsWith(text) ? date : undefined;
}

const NOT_A_DAY = 'must be a date of the form 2026-01-15';

/** A calendar day, as text. */
export const day = z
  .string()
  .refine((text) => DATE.test(text) && calendarDay(text) !== undefined, NOT_A_DAY)
  .meta({ format: 'date' });

function moment(text: string): Date | undefined {
  if (/^\d{1,15}(\.\d+)?$/.test(text)) {
    const number = Number(text);
    return inFourDigits(new Date(number < SECONDS_BELOW ? number * 1_000 : number));
  }
  if (!DATE_TIME.test(text) || calendarDay(text.slice(0, 10)) === undefined) return undefined;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  return inFourDigits(new Date(zoned.replace(' ', 'T')));
}

const NO_TIMESTAMP = 'must be a timestamp or an ISO 8601 date';

const timestamp = (wholeDay: (day: Date) => Date) =>
  z
    .string({ error: ({ input }) => (input == null ? undefined : NO_TIMESTAMP) })
    .transform((text, context): Date => {
      const day = DATE.test(text) ? calendarDay(text) : undefined;
      const found = day === undefined ? moment(text) : wholeDay(day);
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message: NO_TIMESTAMP, input: text });
      return z.NEVER;
    })
    .meta({ type: ['string', 'number'] });

/** A lower bound: a bare date means its first millisecond. */
export const timestampFrom = timestamp((day) => day);
/** An upper bound, inclusive: a bare date includes that day. */
export const timestampUntil = timestamp((day) => new Date(day.getTime() + DAY_MS - 1));

/** Prisma reads no later moment back where the time zone of PostgreSQL is not UTC. */
const LAST_STORED_YEAR = 9_998;

export const storedMoment = timestampFrom.refine(
  (moment) => moment.getUTCFullYear() <= LAST_STORED_YEAR,
  `must not be after the year ${LAST_STORED_YEAR}`,
);

/** In a body, where it is no number. */
export const bodyMoment = storedMoment
  .refine((moment) => moment.getTime() >= 0, 'must not be before the year 1970')
  .meta({ type: 'string', format: 'date-time' });

/** As the core takes it. */
export const momentOrNull = (date: Date | null | undefined): bigint | null => (date == null ? null : momentOf(date));
