import { type Finding, findingsOf, type Queryable, textsIn } from '../finding.js';

// Rules for each bet and each wager, independent of the record of the clients. The audit compares sums; these rules also
// find an effect that was repeated and then undone.

interface Rule {
  readonly name: string;
  /** Selects a `text` for each violation. */
  readonly faults: string;
}

const bets = `
  bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id JOIN accounts a ON a.id = b.account_id`;
const isDecided = `w.outcome <> 'undecided'`;
const isMatched = 'b.accepting_user_id IS NOT NULL';

/** For each bet: how often its wager moved it, and whether an override or a correction did. */
const moves = `
  SELECT count(*) FILTER (WHERE t.description LIKE 'Bet settled%')::int AS settled,
         count(*) FILTER (WHERE t.description = 'Offer expired')::int AS expired,
         count(*) FILTER (WHERE t.description LIKE 'Outcome overridden%' OR t.description LIKE '% by admin %') AS corrected,
         coalesce(sum((SELECT count(*) FROM transactions x
                        WHERE x.account_id = t.account_id AND x.bet_trail_id = t.id)), 0)::int AS movements
    FROM bet_trails t WHERE t.account_id = b.account_id AND t.bet_id = b.id`;

const rules: readonly Rule[] = [
  {
    name: 'each bet of a decided wager is settled once',
    faults: `
      SELECT format('%s: bet %s of %s (%s) was settled %s times, expired %s times, and moved %s balances', a.email, b.id,
                    w.reference, w.outcome, settled, expired, movements) AS text
        FROM ${bets} CROSS JOIN LATERAL (${moves}) moves
       WHERE moves.corrected = 0 AND w.forced_by IS NULL
         AND (settled, expired, movements) IS DISTINCT FROM
             CASE WHEN ${isDecided} AND ${isMatched} THEN (1, 0, 2)
                  WHEN ${isDecided} AND b.offer_status = 'expired' THEN (0, 1, 0) ELSE (0, 0, 0) END`,
  },
  {
    name: 'the rest of an accepted offer is offered once',
    faults: `
      SELECT format('%s: of bet %s %s was offered and %s taken; rests: %s', a.email, b.id, b.requesting_amount,
                    b.effective_amount, coalesce(rest.amounts::text, 'nothing')) AS text
        FROM ${bets} LEFT JOIN (
          SELECT account_id, substring(description FROM '(\\d+)$')::bigint AS origin,
                 array_agg(requesting_amount) AS amounts
            FROM bet_trails WHERE description LIKE 'Offer for the rest of accepted bet %' GROUP BY 1, 2) rest
          ON rest.account_id = b.account_id AND rest.origin = b.id
       WHERE ${isMatched}
         AND rest.amounts IS DISTINCT FROM
             CASE WHEN b.effective_amount < b.requesting_amount THEN ARRAY[b.requesting_amount - b.effective_amount] END`,
  },
  {
    name: 'each bet was made, or is the rest of another',
    faults: `
      SELECT format('%s: bet %s begins with "%s"', a.email, b.id, first.description) AS text
        FROM ${bets} CROSS JOIN LATERAL (
          SELECT description FROM bet_trails t WHERE t.account_id = b.account_id AND t.bet_id = b.id ORDER BY id LIMIT 1) first
       WHERE first.description !~ CASE WHEN b.queue_place = b.id THEN '^Offer made$' ELSE '^Offer for the rest of ' END`,
  },
  {
    name: 'each correction names its kind',
    faults: `
      SELECT format('%s: bet %s "%s"', a.email, t.bet_id, t.description) AS text
        FROM bet_trails t JOIN accounts a ON a.id = t.account_id
       WHERE t.description LIKE '% by admin %'
         AND t.description !~ '^(Bet set (in)?active|Override|Bet settled|Settlement undone|Offer).* by admin '`,
  },
  {
    name: 'a wager begins with an offer',
    faults: `
      SELECT format('%s: %s has no bets', a.email, w.reference) AS text
        FROM wagers w JOIN accounts a ON a.id = w.account_id
       WHERE NOT EXISTS (SELECT FROM bets b WHERE b.account_id = w.account_id AND b.wager_id = w.id)`,
  },
];

const settled = `
  SELECT (SELECT count(*) FROM wagers w WHERE ${isDecided}) || ' wagers are decided, '
         || count(*) FILTER (WHERE settled_outcome IS NOT NULL) || ' bets settled, '
         || count(*) FILTER (WHERE offer_status = 'expired' AND NOT ${isMatched}) || ' offers expired' AS fact FROM bets b`;

const byWorkers = `
  SELECT count(DISTINCT (account_id, payload ->> 'wagerId'))::int AS count
    FROM outbox WHERE topic = 'settle-wager' AND done_at IS NOT NULL`;

export interface SettlementReport {
  readonly findings: readonly Finding[];
  readonly figures: ReadonlyMap<string, number>;
  readonly fact: string;
}

export async function checkSettlements(database: Queryable): Promise<SettlementReport> {
  const findings: Finding[] = [];
  for (const { name, faults } of rules) {
    findings.push(...findingsOf(name, await textsIn(database, faults)));
  }
  const [fact = ''] = await textsIn(database, settled);
  const worked = await database.query<{ count: number }>(byWorkers);
  const figures = new Map([['wagers settled by workers', worked.rows[0]?.count ?? 0]]);
  return { findings, figures, fact };
}
