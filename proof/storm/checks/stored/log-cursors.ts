import { encodePosition } from '#events/event-position.js';
import type { Queryable } from '../finding.js';

/** The cursors of all events of an account, which name their numbers and what they are about. */
export async function cursorsIn(database: Queryable, accountId: number): Promise<string[]> {
  const { rows } = await database.query<Record<'seq' | 'at' | 'kind' | 'ref', string>>(
    `SELECT g.first_seq + e.place - 1 AS seq, (extract(epoch FROM g.at) * 1000000)::bigint AS at, e.kind, e.ref
       FROM event_groups g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
      WHERE g.account_id = $1 ORDER BY 1`,
    [accountId],
  );
  return rows.map(({ seq, at, kind, ref }) =>
    encodePosition(BigInt(accountId), { seq: BigInt(seq), at: BigInt(at), kind: Number(kind), ref: BigInt(ref) }),
  );
}
