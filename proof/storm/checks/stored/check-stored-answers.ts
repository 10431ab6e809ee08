import { finalAnswer, type Operation } from '../../history.js';
import { type Finding, findingsOf, type Queryable, textsIn } from '../finding.js';
import { differencesBetween } from './compare-effects.js';

// The answer stored for an Idempotency-Key must be the one that the client got.

const found = `
  SELECT format('%s, key %s: %s %s', a.email, k.key, k.status, k.body) AS line
    FROM stored_answers k JOIN accounts a ON a.id = k.account_id`;

/** The API refuses admin endpoints before it looks at the key, and stores no answer. */
const NOT_STORED = [403];

export async function checkStoredAnswers(operations: readonly Operation[], database: Queryable): Promise<Finding[]> {
  const given = operations.flatMap((operation) => {
    const { key, kind, account } = operation;
    const answer = finalAnswer(operation);
    if (key === undefined || answer === undefined || kind === 'reused-key') return [];
    if (NOT_STORED.includes(answer.status)) return [];
    return [`${account.email}, key ${key}: ${answer.status} ${JSON.stringify(answer.body)}`];
  });
  const stored = await textsIn(database, found);
  return findingsOf('the answer stored for a key is the one given', differencesBetween(given, stored));
}
