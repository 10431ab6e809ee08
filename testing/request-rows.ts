// Change requests of the first account, by SQL.

/** A row whose event the log has not. */
export const requestRow = (state: string, more: Readonly<Record<string, string>> = {}) => {
  const columns = {
    account_id: '1',
    kind: `'set_active'`,
    operation: `'{}'`,
    target: `'wager:1'`,
    asks: `'account'`,
    suspended: 'false',
    revision: '0',
    made_by: '1',
    made_by_name: `'Ann'`,
    state: `'${state}'`,
    expires_at: `now() + interval '1 hour'`,
    ...(state !== 'pending' && { decided_at: 'now()', decided_by: '2', decided_by_name: `'Bea'` }),
    ...more,
  };
  return `INSERT INTO change_requests (${Object.keys(columns).join()}) VALUES (${Object.values(columns).join()})`;
};

/** The event of a kind, about the only request, in a group of its own behind the log. */
export const requestTold = (kinds: readonly number[]) => `
  WITH head AS (SELECT last_seq FROM event_heads WHERE account_id = 1),
  moved AS (UPDATE event_heads h SET last_seq = h.last_seq + ${kinds.length}, last_at = now(), last_kind = ${kinds.at(-1)},
                   last_ref = (SELECT max(id) FROM change_requests) WHERE h.account_id = 1 RETURNING last_at)
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
  SELECT 1, last_seq + 1, last_seq + ${kinds.length}, (SELECT last_at FROM moved), '{${kinds.join()}}',
         ARRAY[${kinds.map(() => '(SELECT max(id) FROM change_requests)').join()}], '${kinds.length} unknown -'
    FROM head`;
