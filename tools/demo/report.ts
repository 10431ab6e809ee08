import type { AuditReport } from '#audit/check.js';
import { linesOfDifferences, verdictOf } from '#audit/report.js';
import { formatMicros, type Micros } from '#core/money.js';
import type { RunningServices } from '#tools/services/data-folder.js';
import type { BookLine, Books, LogCheck, StatementCheck } from './books.js';
import type { Played } from './play.js';

// The printed results of the evening.

const SHOWN = 5;
const NAME_WIDTH = 18;
const MONEY_WIDTH = 15;

/** With at least two decimals; no decimal is cut off. */
function formatMoney(micros: Micros): string {
  const [whole = '', decimals = ''] = formatMicros(micros).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals.padEnd(2, '0')}`;
}

const row = (name: string, cells: readonly string[]) =>
  `  ${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(MONEY_WIDTH)).join('')}`;

const lineOf = ({ name, paidIn, paidOut, won, balance }: BookLine) =>
  row(name, [paidIn, paidOut, won, balance].map(formatMoney));

/** The bettors with the highest gains and losses, and the sums of all. */
export function tableOf({ lines, total, faults }: Books): string {
  const head = row('', ['paid in', 'paid out', 'won or lost', 'balance']);
  const rule = '  '.padEnd(head.length, '-');
  const hidden = lines.length - 2 * SHOWN;
  const shown =
    hidden > 0
      ? [...lines.slice(0, SHOWN).map(lineOf), row(`… ${hidden} more`, []), ...lines.slice(-SHOWN).map(lineOf)]
      : lines.map(lineOf);
  const { paidIn, paidOut, balance } = total;
  const equation = `${formatMoney(paidIn)} in = ${formatMoney(paidOut)} out + ${formatMoney(balance)} still there`;
  const sums = faults.length === 0 ? [`  Money: ${equation}`] : faults.map((fault) => `  DIFFERS: ${fault}`);
  return [head, rule, ...shown, rule, lineOf(total), '', ...sums].join('\n');
}

/** The bettor's statement, compared with the books. */
export function statementTextOf({ name, lineCount, closingBalance, faults }: StatementCheck): string {
  if (faults.length > 0) return [...new Set(faults)].map((fault) => `  DIFFERS: ${fault}`).join('\n');
  return `  Statement of ${name}: ${lineCount} lines end with ${formatMoney(closingBalance)}, as the books do`;
}

/** The event log, compared with the books. */
export const logTextOf = ({ eventCount, faults }: LogCheck): string =>
  faults.length > 0
    ? faults.map((fault) => `  DIFFERS: ${fault}`).join('\n')
    : `  Event log: ${eventCount} events followed live, numbered without a gap; their money is that of the books`;

export const auditTextOf = (report: AuditReport): string =>
  [`  Audit: ${verdictOf(report)}`, ...linesOfDifferences(report.findings).map((line) => `  ${line}`)].join('\n');

/** The addresses and credentials with which a reader can look around. */
export function addressesOf(services: RunningServices, { business, admin }: Played): string {
  const { apiUrl, dashboardUrl, workerMetricsUrl } = services;
  return [
    '  Look around:',
    `    console     ${dashboardUrl}`,
    `    business    ${business.email}, password ${business.password}`,
    `    admin       ${admin.email}, password ${admin.password}`,
    `    API pages   ${apiUrl}/docs, described in ${apiUrl}/openapi.json`,
    `    queues      ${dashboardUrl}/queues, for the admin`,
    `    metrics     ${apiUrl}/metrics, ${workerMetricsUrl}`,
  ].join('\n');
}
