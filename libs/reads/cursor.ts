import { createHash } from 'node:crypto';
import { ValidationError } from '#platform/errors/validation-error.js';

// A cursor says where a page of a list begins, and which list that is: a hash of the list's name, its accounts, filters and
// sort. It is not secret. A forged one reaches nothing that its sender may not list, because each page is read with the
// conditions of its own request.

/** A time has whole milliseconds, like every time that is stored. */
export type CursorValue = Date | bigint | string | null;

/** The name of a list, its accounts, and every filter and sort of the request. The number of rows on a page is not in it. */
export type CursorScope = Readonly<Record<string, unknown>>;

/** Longer than the longest name that a list is sorted by. */
const MAX_CURSOR_CHARACTERS = 2_048;
const VERSION = 1;

export const CURSOR_MALFORMED = 'must be a cursor that a list has answered';
const CURSOR_OF_ANOTHER_LIST = 'must be used with the account, filters and sort of the list that answered it';

/** Each value with the letter of its type. */
function pack(value: CursorValue): string | null {
  if (value === null) return null;
  if (typeof value === 'bigint') return `i${value}`;
  return typeof value === 'string' ? `s${value}` : `t${value.getTime()}`;
}

/** Leaves room for arithmetic in 64 bits. */
const MAX_INTEGER = 2n ** 62n;
/** The end of the year 9999. */
const MAX_TIME_MS = 253_402_300_799_999n;

/** Undefined: no such value is ever packed, or PostgreSQL has none like it. */
function unpack(packed: unknown): CursorValue | undefined {
  if (packed === null) return null;
  if (typeof packed !== 'string') return undefined;
  const text = packed.slice(1);
  if (packed.startsWith('s')) return text.includes('\0') || !text.isWellFormed() ? undefined : text;
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const number = BigInt(text);
  if (packed.startsWith('i')) return number <= MAX_INTEGER && number >= -MAX_INTEGER ? number : undefined;
  return packed.startsWith('t') && number >= 0n && number <= MAX_TIME_MS ? new Date(Number(number)) : undefined;
}

/** The order of keys and of the items of a filter does not count. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(canonical(item))).sort();
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return entries.map(([key, item]) => [key, canonical(item)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

const hashOf = (scope: CursorScope): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(scope)))
    .digest('base64url')
    .slice(0, 22);

const textOf = (hash: string, values: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify([VERSION, hash, ...values.map(pack)])).toString('base64url');

export const encodeCursor = (scope: CursorScope, values: readonly CursorValue[]): string =>
  textOf(hashOf(scope), values);

/** Well-formed, but perhaps of another list. */
export interface ParsedCursor {
  readonly hash: string;
  readonly values: readonly CursorValue[];
}

/** Undefined: the text is not what `encodeCursor` makes. */
export function parseCursor(text: string): ParsedCursor | undefined {
  if (text.length > MAX_CURSOR_CHARACTERS) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(content) || content[0] !== VERSION || typeof content[1] !== 'string') return undefined;
  const hash = content[1];
  const values = content.slice(2).map(unpack);
  if (!values.every((value) => value !== undefined)) return undefined;
  // base64 and JSON have many texts for one content: only the one that was answered counts.
  return textOf(hash, values) === text ? { hash, values } : undefined;
}

export class CursorFault extends ValidationError {
  constructor(message: string = CURSOR_OF_ANOTHER_LIST) {
    super([`cursor ${message}`]);
  }
}

export function cursorValues({ hash, values }: ParsedCursor, scope: CursorScope): readonly CursorValue[] {
  if (hash !== hashOf(scope)) throw new CursorFault();
  return values;
}
