-- CreateTable
CREATE TABLE "ledger_totals" (
    "account_id" BIGINT NOT NULL,
    "shard" INTEGER NOT NULL,
    "bets" BIGINT NOT NULL DEFAULT 0,
    "open_bets" BIGINT NOT NULL DEFAULT 0,
    "open_amount" DECIMAL(38,0) NOT NULL DEFAULT 0,
    "transactions" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_totals_pkey" PRIMARY KEY ("account_id","shard")
);

-- CreateIndex
CREATE INDEX "transactions_account_id_created_at_id_idx" ON "transactions"("account_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "ledger_totals" ADD CONSTRAINT "ledger_totals_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- The orders of the lists, besides the order of time. Only the rows that have a place in them pay for them: open offers,
-- and bets that somebody accepted. Where an index carries the amount, the total of a filtered list is summed from it alone;
-- so the index for matching gets it too, and with the time all that the list of one wager's offers looks at.
CREATE INDEX bets_open_odds_idx ON bets (account_id, requesting_odds, id) INCLUDE (requesting_amount)
  WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_open_amount_idx ON bets (account_id, requesting_amount, id)
  WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_effective_odds_idx ON bets (account_id, effective_odds, id) WHERE effective_odds IS NOT NULL;
CREATE INDEX bets_effective_amount_idx ON bets (account_id, effective_amount, id) WHERE effective_amount IS NOT NULL;
DROP INDEX bets_matching_idx;
CREATE INDEX bets_matching_idx ON bets (account_id, wager_id, requesting_odds, queue_place, id)
  INCLUDE (requesting_amount, created_at) WHERE offer_status = 'requesting' AND is_active;

-- Exact totals without counting, one row for each account and shard. A transaction holds its shards until it ends, so
-- nobody ever waits for a row of totals, and they cannot be part of a deadlock: a backend begins at a shard of its own
-- and takes the next one that is free. Only with more than 64 transactions writing at once does one have to wait.
CREATE FUNCTION take_totals_shard() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  shards CONSTANT integer := 64;
  -- Any constant serves: it sets these locks apart from other advisory ones.
  purpose CONSTANT integer := 7266002;
  home CONSTANT integer := pg_backend_pid() % shards;
BEGIN
  FOR step IN 0 .. shards - 1 LOOP
    IF pg_try_advisory_xact_lock(purpose, (home + step) % shards) THEN
      RETURN (home + step) % shards;
    END IF;
  END LOOP;
  PERFORM pg_advisory_xact_lock(purpose, home);
  RETURN home;
END $$;

-- One statement for a whole batch. The triggers fire for empty batches too: then no shard is taken and no row written.
CREATE FUNCTION total_inserted_bets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_totals AS kept (account_id, shard, bets, open_bets, open_amount)
    SELECT account_id, take_totals_shard(), bets, open_bets, open_amount
      FROM (SELECT account_id, count(*) AS bets,
                   count(*) FILTER (WHERE offer_status = 'requesting' AND is_active) AS open_bets,
                   coalesce(sum(requesting_amount) FILTER (WHERE offer_status = 'requesting' AND is_active), 0)
                     AS open_amount
              FROM inserted GROUP BY account_id ORDER BY account_id) AS added
    ON CONFLICT (account_id, shard) DO UPDATE
       SET bets = kept.bets + excluded.bets, open_bets = kept.open_bets + excluded.open_bets,
           open_amount = kept.open_amount + excluded.open_amount;
  RETURN NULL;
END $$;

-- What is open now, less what was open before. Most settlements change neither, and then nothing is written.
CREATE FUNCTION total_updated_bets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_totals AS kept (account_id, shard, open_bets, open_amount)
    SELECT account_id, take_totals_shard(), open_bets, open_amount
      FROM (SELECT account_id, sum(sign) AS open_bets, sum(sign * requesting_amount) AS open_amount
              FROM (SELECT account_id, 1 AS sign, requesting_amount FROM updated
                     WHERE offer_status = 'requesting' AND is_active
                    UNION ALL
                    SELECT account_id, -1, requesting_amount FROM outdated
                     WHERE offer_status = 'requesting' AND is_active) AS change
             GROUP BY account_id HAVING sum(sign) <> 0 OR sum(sign * requesting_amount) <> 0
             ORDER BY account_id) AS changed
    ON CONFLICT (account_id, shard) DO UPDATE
       SET open_bets = kept.open_bets + excluded.open_bets, open_amount = kept.open_amount + excluded.open_amount;
  RETURN NULL;
END $$;

CREATE FUNCTION total_inserted_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_totals AS kept (account_id, shard, transactions)
    SELECT account_id, take_totals_shard(), transactions
      FROM (SELECT account_id, count(*) AS transactions FROM inserted GROUP BY account_id ORDER BY account_id) AS added
    ON CONFLICT (account_id, shard) DO UPDATE SET transactions = kept.transactions + excluded.transactions;
  RETURN NULL;
END $$;

CREATE TRIGGER bets_total_inserted AFTER INSERT ON bets REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION total_inserted_bets();
CREATE TRIGGER bets_total_updated AFTER UPDATE ON bets REFERENCING OLD TABLE AS outdated NEW TABLE AS updated
  FOR EACH STATEMENT EXECUTE FUNCTION total_updated_bets();
CREATE TRIGGER transactions_total AFTER INSERT ON transactions REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION total_inserted_transactions();

-- What is there already. The triggers' locks keep everybody else from writing until the migration ends.
INSERT INTO ledger_totals AS kept (account_id, shard, bets, open_bets, open_amount)
  SELECT account_id, 0, count(*), count(*) FILTER (WHERE offer_status = 'requesting' AND is_active),
         coalesce(sum(requesting_amount) FILTER (WHERE offer_status = 'requesting' AND is_active), 0)
    FROM bets GROUP BY account_id;
INSERT INTO ledger_totals AS kept (account_id, shard, transactions)
  SELECT account_id, 0, count(*) FROM transactions GROUP BY account_id
  ON CONFLICT (account_id, shard) DO UPDATE SET transactions = excluded.transactions;

ALTER TABLE ledger_totals SET (fillfactor = 50);
