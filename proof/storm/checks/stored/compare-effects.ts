import { type Operation, wasDone } from '../../history.js';
import { type Finding, findingsOf, type Queryable, textsIn } from '../finding.js';

// Compares what the answers acknowledge outside the ledger with the database. Both sides become lines of text; unequal counts
// of a line mean that an effect was lost, repeated, or never acknowledged.

export interface Compared {
  readonly findings: readonly Finding[];
  /** The number of effects of each kind. */
  readonly counts: ReadonlyMap<string, number>;
}

const ACCOUNTS = 'SELECT email FROM accounts';
const MAILS = `
  SELECT format('%s to %s', topic, a.email) FROM outbox o JOIN accounts a ON a.id = o.account_id
   WHERE topic IN ('verification-mail', 'password-changed-mail')`;

export async function compareEffects(operations: readonly Operation[], database: Queryable): Promise<Compared> {
  const doneBy = (...kinds: readonly Operation['kind'][]) =>
    operations.filter((operation) => kinds.includes(operation.kind) && wasDone(operation));
  const registered = doneBy('register').map(({ account }) => account.email);
  const mails = [
    ...doneBy('register', 'resend-verification').map(({ account }) => `verification-mail to ${account.email}`),
    ...doneBy('reset-password').map(({ account }) => `password-changed-mail to ${account.email}`),
  ];
  return {
    findings: [
      ...findingsOf('accounts registered', differencesBetween(registered, await textsIn(database, ACCOUNTS))),
      ...findingsOf('mails asked for', differencesBetween(mails, await textsIn(database, MAILS))),
    ],
    counts: new Map([
      ['accounts registered', registered.length],
      ['mails asked for', mails.length],
    ]),
  };
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
