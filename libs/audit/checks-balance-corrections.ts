import type { Pass } from './check.js';
import { receivedSql, shown } from './facts.js';
import type { Scope } from './scope.js';

const isRight = `(${receivedSql}, t.balance_after) IN ((0, c.summed), (c.stored - c.summed, c.stored))`;

const corrections = ({ transactions }: Scope): string => `
  SELECT t.* FROM ${transactions} t WHERE t.transaction_source = 'correction'`;

/** A fresh scope has the transactions after the closing alone. */
const recorded = (scope: Scope): string => `
  SELECT c.* FROM ${scope.table('balance_corrections')} c
    LEFT JOIN (${scope.closedIds}) closed (account_id, trail_id, transaction_id) ON closed.account_id = c.account_id
   WHERE c.transaction_id > coalesce(closed.transaction_id, 0)`;

export const correctionsOfBalances: Pass = {
  things: 'corrections of balances',
  checks: [{ name: 'a correction of a balance makes it and its transactions agree', column: 'corrected' }],
  rows: (scope) => `
    SELECT coalesce(t.account_id, c.account_id) AS account_id, coalesce(t.id, c.transaction_id) AS id,
           'transaction ' || coalesce(t.id, c.transaction_id) AS subject,
           CASE WHEN c.account_id IS NULL THEN 'corrects a balance without its two figures'
                WHEN t.id IS NULL THEN 'has the two figures of a correction, but corrects nothing'
                WHEN t.user_id <> c.user_id THEN 'corrects the balance of another user'
                WHEN (${isRight}) IS NOT TRUE THEN
                  format('moved %s to a balance of %s, between %s stored and %s summed', ${shown(receivedSql)},
                         ${shown('t.balance_after')}, ${shown('c.stored')}, ${shown('c.summed')}) END AS corrected
      FROM (${corrections(scope)}) t
      FULL JOIN (${recorded(scope)}) c ON c.account_id = t.account_id AND c.transaction_id = t.id`,
};
