-- AlterTable
ALTER TABLE "wagers" ADD COLUMN     "last_matched_bet_id" BIGINT,
ADD COLUMN     "matched_amount" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "matched_bets" BIGINT NOT NULL DEFAULT 0;

-- What schema.prisma cannot say stands below. docs/decisions/0032 says why an order book needs these figures.

-- No index holds them, so an update stays on its page as long as there is room.
ALTER TABLE wagers SET (fillfactor = 80);

UPDATE wagers w
   SET matched_bets = m.bets, matched_amount = m.amount
  FROM (SELECT account_id, wager_id, count(*) AS bets, sum(effective_amount) AS amount
          FROM bets WHERE accepting_user_id IS NOT NULL GROUP BY account_id, wager_id) m
 WHERE w.account_id = m.account_id AND w.id = m.wager_id;

-- The first entry with an acceptance is the acceptance; later ones repeat it.
UPDATE wagers w
   SET last_matched_bet_id = m.bet_id
  FROM (SELECT DISTINCT ON (account_id, wager_id) account_id, wager_id, bet_id
          FROM (SELECT account_id, wager_id, bet_id, min(id) AS accepted_by
                  FROM bet_trails WHERE accepting_amount IS NOT NULL GROUP BY account_id, wager_id, bet_id) first
         ORDER BY account_id, wager_id, accepted_by DESC) m
 WHERE w.account_id = m.account_id AND w.id = m.wager_id;

-- The matches of a group on one wager, which the group has locked.
CREATE TYPE counted_match AS (account_id bigint, wager_id bigint, bets bigint, amount numeric, last_bet_id bigint);

-- Returns no row: it is called beside write_group, in one statement.
CREATE FUNCTION count_matches(p_matches counted_match[]) RETURNS SETOF written_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
BEGIN
  UPDATE wagers w
     SET matched_bets = w.matched_bets + n.bets, matched_amount = w.matched_amount + n.amount,
         last_matched_bet_id = n.last_bet_id
    FROM unnest(p_matches) n WHERE w.account_id = n.account_id AND w.id = n.wager_id;
END $$;
