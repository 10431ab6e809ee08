import { postLines } from '../../api/api.js';
import { textOf } from '../../api/outages.js';
import { patiently } from '../../api/pauses.js';
import { readAmount } from '../../parts/amount.js';
import {
  doneRow,
  type ImportKind,
  type ImportRow,
  metaOf,
  type OnProgress,
  portionsOf,
  type RowResult,
  refusedRow,
} from './rows.js';

/** Of one request: the console takes bodies of 256 kB. */
const ROWS_AT_ONCE = 200;
const CREATED = 201;
const FIRST_REFUSAL = 400;

interface AnswerLine {
  readonly line: number;
  readonly status: number;
  readonly is_trial?: true;
  readonly error?: string;
  readonly message?: readonly string[];
}

function textOfLine({ status, is_trial: isTrial, error, message }: AnswerLine): string {
  if (status >= FIRST_REFUSAL) return message?.join('; ') || (error ?? 'refused');
  if (status !== CREATED) return isTrial ? 'is there already' : 'was there already';
  return isTrial ? 'would be imported' : 'imported';
}

async function post(rows: readonly ImportRow[], isTrial: boolean): Promise<readonly RowResult[]> {
  const body = rows.map(({ sent }) => `${JSON.stringify(sent)}\n`).join('');
  const text = await patiently(() => postLines('/account/users/import', { dry_run: isTrial }, body));
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AnswerLine);
  return lines.flatMap((line) => {
    const row = rows[line.line - 1];
    if (row === undefined) return [];
    return line.status < FIRST_REFUSAL ? doneRow(row, textOfLine(line)) : refusedRow(row, textOfLine(line));
  });
}

/** Sends the rows in portions; the rest of a file is not sent after a portion that was refused as a whole. */
async function postAll(rows: readonly ImportRow[], isTrial: boolean, onProgress: OnProgress) {
  const results: RowResult[] = [];
  let end: string | undefined;
  for (const portion of portionsOf(rows, ROWS_AT_ONCE)) {
    if (end === undefined) {
      try {
        results.push(...(await post(portion, isTrial)));
      } catch (error) {
        end = textOf(error);
      }
    }
    if (end !== undefined) results.push(...portion.map((row) => refusedRow(row, `not sent: ${end}`)));
    onProgress(results.length);
  }
  return results;
}

function readRow(cells: Readonly<Record<string, string>>): Omit<ImportRow, 'row'> {
  const { reference = '', name = '', amount, description, own_reference, allow_negative_balance: negative } = cells;
  const reading = amount === undefined ? undefined : readAmount(amount);
  const meta = metaOf(cells);
  const funds = reading !== undefined &&
    'value' in reading && {
      funds: {
        amount: reading.value,
        ...(description !== undefined && { description }),
        ...(own_reference !== undefined && { reference: own_reference }),
      },
    };
  const isChoice = negative === undefined || negative === 'true' || negative === 'false';
  const faults = [
    reading !== undefined && 'fault' in reading && `amount ${reading.fault}`,
    !isChoice && 'allow_negative_balance must be true or false',
    amount === undefined && (description ?? own_reference) !== undefined && 'amount should not be empty',
  ].filter((fault) => fault !== false);
  return {
    label: reference,
    sent: {
      reference,
      name,
      ...(negative !== undefined && { preferences: { allow_negative_balance: negative === 'true' } }),
      ...(meta && { meta }),
      ...funds,
    },
    fault: faults.join('; ') || undefined,
  };
}

export const userRows: ImportKind = {
  title: 'Users',
  hint: 'A row with an amount also gives its user that money. The same file again creates no user and gives no money twice.',
  columns: ['reference', 'name', 'amount', 'description', 'own_reference', 'allow_negative_balance'],
  required: ['reference', 'name'],
  readRow,
  check(rows, onProgress) {
    const first = new Map<string, number>();
    const repeated: RowResult[] = [];
    const others = rows.filter((row) => {
      const before = first.get(row.label);
      if (before === undefined) first.set(row.label, row.row);
      else repeated.push(refusedRow(row, `reference must not repeat that of row ${before}`));
      return before === undefined;
    });
    return postAll(others, true, onProgress).then((results) => [...results, ...repeated]);
  },
  run: (rows, onProgress) => postAll(rows, false, onProgress),
};
