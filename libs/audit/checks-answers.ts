import { referenceSql } from '#ledger/transaction-reference.js';
import type { Pass } from './check.js';

/*
 * Stored answers name what their requests did, and stand beside it for a day. The route is not stored, so the shape of an
 * answer tells what it is about. Corrections by admins and changes of accounts name nothing that they made.
 */

/** The `data` of each answer, one row for each operation of a batch. */
const results = (answers: string): string => `
  SELECT a.account_id, a.key, result.data
    FROM (SELECT account_id, key, body::jsonb AS body FROM ${answers} stored
           WHERE status < 300 AND body LIKE '{%' AND body LIKE '%"data":%') a
   CROSS JOIN LATERAL (SELECT a.body -> 'data' AS data WHERE a.body ? 'data'
                       UNION ALL
                       SELECT item -> 'data' FROM jsonb_array_elements(
                         CASE jsonb_typeof(a.body -> 'results') WHEN 'array' THEN a.body -> 'results' ELSE '[]' END) item
                        WHERE item ? 'data') result`;

/** One row for each thing that an answer names. */
const named = (answers: string): string => `
  SELECT r.account_id, r.key, item.data,
         CASE WHEN item.data ?& '{bet_id,wager_id}' THEN 'bet'
              WHEN item.data ?& '{id,user_id,transaction_source}' THEN 'transaction'
              WHEN item.data ?& '{id,reference,closes_at}' THEN 'wager'
              WHEN item.data ?& '{id,reference}' AND NOT item.data ? 'email' THEN 'user' END AS what,
         (coalesce(item.data ->> 'bet_id', item.data ->> 'id'))::numeric AS id
    FROM (${results(answers)}) r
   CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(r.data) WHEN 'array' THEN r.data
                                           ELSE jsonb_build_array(r.data) END) item (data)
   WHERE jsonb_typeof(item.data) = 'object'`;

const micros = (field: string): string => `round((n.data ->> '${field}')::numeric * 1000000)`;

/** A bet that an answer names: accepted at these terms, or offered or canceled on this wager. */
const isSameBet = `
  b.wager_id = (n.data ->> 'wager_id')::numeric
  AND (NOT n.data ? 'accepted_amount'
       OR (b.effective_amount, b.effective_odds) IS NOT DISTINCT FROM
          (${micros('accepted_amount')}, ${micros('accepted_odds')}))`;

/** The reference follows from the id and from the time that the answer itself says. */
const isSameTransaction = `
  (t.user_id, ${referenceSql('t.id', "(n.data ->> 'created_at')::timestamptz")}, t.transaction_type, t.transaction_source, t.amount) =
  ((n.data ->> 'user_id')::numeric, n.data ->> 'reference', n.data ->> 'transaction_type',
   n.data ->> 'transaction_source', ${micros('amount')})`;

export const effectsOfAnswers: Pass = {
  things: 'stored effects',
  checks: [
    { name: 'what a stored answer names exists', column: 'missing' },
    { name: 'each funding or withdrawal is the effect of one stored answer at most', column: 'shared' },
  ],
  readsByKey: true,
  rows: (scope) => `
    SELECT n.account_id, n.id, format('answer to key %s', n.key) AS subject,
           CASE WHEN n.what = 'bet' AND b.id IS NULL OR n.what = 'transaction' AND t.id IS NULL
                  OR n.what = 'user' AND u.id IS NULL OR n.what = 'wager' AND w.id IS NULL THEN format('names %s %s, which does not exist', n.what, n.id)
                WHEN n.what = 'bet' AND NOT (${isSameBet}) THEN format('names bet %s with other terms', n.id)
                WHEN n.what = 'transaction' AND (${isSameTransaction}) IS NOT TRUE THEN
                  format('names transaction %s with another content', n.id)
                WHEN coalesce(u.reference, w.reference) <> n.data ->> 'reference' THEN
                  format('names %s %s with another reference', n.what, n.id) END AS missing,
           CASE WHEN n.what = 'transaction' AND n.answers > 1 THEN
             format('names transaction %s, as another answer does', n.id) END AS shared
      FROM (SELECT n.*, count(*) FILTER (WHERE n.what = 'transaction') OVER (PARTITION BY n.account_id, n.what, n.id) AS answers
              FROM (${named(scope.table('stored_answers'))}) n WHERE n.what IS NOT NULL) n
      LEFT JOIN bets b ON n.what = 'bet' AND b.account_id = n.account_id AND b.id = n.id::bigint
      LEFT JOIN transactions t ON n.what = 'transaction' AND t.account_id = n.account_id AND t.id = n.id::bigint
      LEFT JOIN users u ON n.what = 'user' AND u.account_id = n.account_id AND u.id = n.id::bigint
      LEFT JOIN wagers w ON n.what = 'wager' AND w.account_id = n.account_id AND w.id = n.id::bigint`,
};
