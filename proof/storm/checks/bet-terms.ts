import { asMicros, type Micros, type OddsMicros } from '#core/money.js';
import type { Queryable } from './finding.js';

/** The attributes of a bet that stay the same, whenever its operations took place. */
export interface BetTerms {
  readonly id: number;
  readonly accountId: number;
  readonly wager: string;
  readonly requesterId: number;
  readonly odds: OddsMicros;
  readonly offered: Micros;
  /** The user who accepted it, and how much of it, once it is accepted. */
  readonly acceptorId: number | undefined;
  readonly accepted: Micros | undefined;
  /** The canceled or accepted bet of which it is the rest. */
  readonly restOf: number | undefined;
}

interface BetTermsRow {
  readonly id: number;
  readonly account: number;
  readonly wager: string;
  readonly requester: number;
  readonly odds: string;
  readonly offered: string;
  readonly acceptor: number | null;
  readonly accepted: string | null;
  readonly origin: number | null;
}

export async function readBetTerms(database: Queryable): Promise<BetTerms[]> {
  const { rows } = await database.query<BetTermsRow>(
    `SELECT b.id::int, b.account_id::int AS account, w.reference AS wager, b.requesting_user_id::int AS requester,
            b.requesting_odds AS odds, b.requesting_amount AS offered, b.accepting_user_id::int AS acceptor,
            b.effective_amount AS accepted,
            (SELECT substring(description FROM '^Offer for the rest of \\w+ bet (\\d+)$')::int FROM bet_trails t
              WHERE t.account_id = b.account_id AND t.bet_id = b.id ORDER BY t.id LIMIT 1) AS origin
       FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id`,
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account,
    wager: row.wager,
    requesterId: row.requester,
    odds: BigInt(row.odds) as OddsMicros,
    offered: asMicros(BigInt(row.offered)),
    acceptorId: row.acceptor ?? undefined,
    accepted: row.accepted === null ? undefined : asMicros(BigInt(row.accepted)),
    restOf: row.origin ?? undefined,
  }));
}
