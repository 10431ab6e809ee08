import { asMicros } from '#core/money.js';
import { CURSOR_MALFORMED, CursorFault, type CursorValue } from './cursor.js';
import type { LineId, Statement } from './statement.js';

// An opened statement travels in its cursors, so that a later page neither searches its bounds nor sums again.

/** Of a page that begins behind the line. Sums of amounts may be larger than the integers of a cursor. */
export const cursorValuesOf = (opened: Statement, { id }: LineId): CursorValue[] => [
  ...[id, opened.userId, opened.firstId, opened.endId, opened.openingBalance, opened.closingBalance],
  ...[opened.from, opened.to, opened.asOf, String(opened.credits), String(opened.debits)],
  String(opened.betNet),
];

export interface Resumed {
  readonly opened: Statement;
  readonly after: LineId;
}

export function resume(user: Pick<Statement, 'accountId' | 'userReference'>, values: readonly CursorValue[]): Resumed {
  const [id, userId, firstId, endId, opening, closing, from, to, asOf, credits, debits, betNet] = values;
  return {
    opened: {
      ...user,
      userId: integer(userId),
      firstId: integer(firstId),
      endId: integer(endId),
      openingBalance: asMicros(integer(opening)),
      closingBalance: asMicros(integer(closing)),
      from: moment(from),
      to: moment(to),
      asOf: moment(asOf),
      credits: asMicros(sum(credits)),
      debits: asMicros(sum(debits)),
      betNet: asMicros(net(betNet)),
    },
    after: { id: integer(id) },
  };
}

function integer(value: CursorValue | undefined): bigint {
  if (typeof value !== 'bigint') throw new CursorFault(CURSOR_MALFORMED);
  return value;
}

function moment(value: CursorValue | undefined): Date {
  if (!(value instanceof Date)) throw new CursorFault(CURSOR_MALFORMED);
  return value;
}

function sum(value: CursorValue | undefined): bigint {
  if (typeof value !== 'string' || !/^\d{1,30}$/.test(value)) throw new CursorFault(CURSOR_MALFORMED);
  return BigInt(value);
}

/** A sum that may be below zero. */
const net = (value: CursorValue | undefined): bigint =>
  typeof value === 'string' && value.startsWith('-') ? -sum(value.slice(1)) : sum(value);
