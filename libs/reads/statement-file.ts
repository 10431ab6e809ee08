import type { FileColumn, FileRow } from './files/columns.js';
import type { Statement, StatementLine } from './statement.js';

// A statement as rows of a file: the first one is the opening balance, the last one the closing balance.

export const statementColumns: readonly FileColumn[] = [
  { name: 'id', type: 'id' },
  { name: 'at', type: 'moment' },
  { name: 'reference', type: 'text' },
  { name: 'type', type: 'text' },
  { name: 'source', type: 'text' },
  { name: 'amount', type: 'decimal' },
  { name: 'signed_amount', type: 'decimal' },
  { name: 'balance', type: 'decimal' },
  { name: 'wager_reference', type: 'text' },
  { name: 'bet_id', type: 'id' },
  { name: 'description', type: 'text' },
  { name: 'own_reference', type: 'text' },
];

const balanceCells = (type: string, at: Date, balance: bigint, description: string): FileRow => [
  ...[null, at, null, type, null, null, null, balance, null, null, description, null],
];

export const openingCells = ({ from, openingBalance }: Statement): FileRow =>
  balanceCells('opening', from, openingBalance, 'Opening balance');

export const closingCells = ({ to, closingBalance }: Statement): FileRow =>
  balanceCells('closing', to, closingBalance, 'Closing balance');

export const lineCells = (line: StatementLine): FileRow => [
  ...[line.id, line.at, line.reference, line.type, line.source, line.amount, line.signedAmount, line.balance],
  ...[line.wagerReference, line.betId, line.description, line.ownReference],
];
