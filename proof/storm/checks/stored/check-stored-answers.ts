import { finalAnswer, type Operation } from '../../history.js';
import { type Finding, findingsOf, type Queryable } from '../finding.js';
import { differencesBetween } from './compare-effects.js';

// The answer that is kept for a key is the one that was given.

const found = `
  SELECT format('%s, key %s: %s %s', a.email, k.key, k.status, k.body) AS line
    FROM stored_answers k JOIN accounts a ON a.id = k.account_id`;

/** What only admins may do is refused before anything is looked at, and nothing is kept of it. */
const NOT_KEPT = [403];

export async function checkStoredAnswers(operations: readonly Operation[], database: Queryable): Promise<Finding[]> {
  const given = operations.flatMap((operation) => {
    const { key, kind, account } = operation;
    const answer = finalAnswer(operation);
    if (key === undefined || answer === undefined || kind === 'reused-key') return [];
    if (NOT_KEPT.includes(answer.status)) return [];
    return [`${account.email}, key ${key}: ${answer.status} ${JSON.stringify(answer.body)}`];
  });
  const { rows } = await database.query<{ line: string }>(found);
  return findingsOf(
    'the answer kept for a key is the one given',
    differencesBetween(
      given,
      rows.map(({ line }) => line),
    ),
  );
}
