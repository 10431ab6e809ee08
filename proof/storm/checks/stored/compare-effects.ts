import type { Operation } from '../../history.js';
import { type Finding, findingsOf, type Queryable, textsIn } from '../finding.js';
import { wasDone } from '../was-done.js';

// Compares what the answers acknowledge beside the ledger with the database. Both sides become lines of text; unequal counts
// of a line mean that an effect was lost, repeated, or never acknowledged.

interface Comparison {
  readonly name: string;
  acknowledged(operation: Operation): readonly string[];
  /** Selects a `line` for each effect in the database. */
  readonly found: string;
}

/** One line for each successful operation. */
const done =
  (kinds: readonly Operation['kind'][], lineOf: (operation: Operation) => string): Comparison['acknowledged'] =>
  (operation) =>
    kinds.includes(operation.kind) && wasDone(operation) ? [lineOf(operation)] : [];

const comparisons: readonly Comparison[] = [
  {
    name: 'accounts registered',
    acknowledged: done(['register'], ({ account }) => account.email),
    found: 'SELECT email AS line FROM accounts',
  },
  {
    name: 'mails asked for',
    acknowledged: (operation) => [
      ...done(['register', 'resend-verification'], ({ account }) => `verification-mail to ${account.email}`)(operation),
      ...done(['reset-password'], ({ account }) => `password-changed-mail to ${account.email}`)(operation),
    ],
    found: `SELECT format('%s to %s', topic, a.email) AS line FROM outbox o JOIN accounts a ON a.id = o.account_id
             WHERE topic IN ('verification-mail', 'password-changed-mail')`,
  },
];

export interface Compared {
  readonly findings: readonly Finding[];
  /** The number of effects of each kind. */
  readonly counts: ReadonlyMap<string, number>;
}

export async function compareEffects(operations: readonly Operation[], database: Queryable): Promise<Compared> {
  const findings: Finding[] = [];
  const counts = new Map<string, number>();
  for (const { name, acknowledged, found } of comparisons) {
    const lines = operations.flatMap(acknowledged);
    findings.push(...findingsOf(name, differencesBetween(lines, await textsIn(database, found))));
    counts.set(name, lines.length);
  }
  return { findings, counts };
}

/** Compares two collections in which the same line may occur several times. */
export function differencesBetween(acknowledged: readonly string[], found: readonly string[]): string[] {
  const surplus = new Map<string, number>();
  const count = (line: string, by: number) => surplus.set(line, (surplus.get(line) ?? 0) + by);
  for (const line of acknowledged) count(line, -1);
  for (const line of found) count(line, 1);
  const known = new Set(acknowledged);
  return [...surplus].flatMap(([line, extra]) => {
    if (extra === 0) return [];
    if (extra < 0) return [`acknowledged, but missing: ${line}`];
    return [`${known.has(line) ? 'stored more often than acknowledged' : 'stored, but never acknowledged'}: ${line}`];
  });
}
