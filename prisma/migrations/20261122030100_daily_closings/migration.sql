-- CreateTable
CREATE TABLE "account_closings" (
    "account_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,
    "last_bet_id" BIGINT NOT NULL,
    "last_trail_id" BIGINT NOT NULL,
    "last_transaction_id" BIGINT NOT NULL,
    "bets" BIGINT NOT NULL,
    "transactions" BIGINT NOT NULL,

    CONSTRAINT "account_closings_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "daily_closings" (
    "account_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "balance" BIGINT NOT NULL,
    "funding" DECIMAL(38,0) NOT NULL,
    "withdrawal" DECIMAL(38,0) NOT NULL,
    "bet" DECIMAL(38,0) NOT NULL,
    "last_transaction_id" BIGINT NOT NULL,

    CONSTRAINT "daily_closings_pkey" PRIMARY KEY ("account_id","user_id","day")
);

-- CreateTable
CREATE TABLE "portfolio_repairs" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "user_id" BIGINT NOT NULL,
    "wager_id" BIGINT,
    "figure" TEXT NOT NULL,
    "stored" BIGINT NOT NULL,
    "recomputed" BIGINT NOT NULL,
    "last_transaction_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "portfolio_repairs_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "portfolio_repairs_created_at_idx" ON "portfolio_repairs"("created_at");

-- AddForeignKey
ALTER TABLE "account_closings" ADD CONSTRAINT "account_closings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "daily_closings" ADD CONSTRAINT "daily_closings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account_closings"("account_id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "portfolio_repairs" ADD CONSTRAINT "portfolio_repairs_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

ALTER TABLE daily_closings
  ADD CONSTRAINT daily_closings_sums_to_balance CHECK (balance = funding - withdrawal + bet);

ALTER TABLE portfolio_repairs
  ADD CONSTRAINT portfolio_repairs_figure_known CHECK
    (figure IN ('balance', 'exposure') AND wager_id IS NULL
     OR figure IN ('win', 'loss', 'offered') AND wager_id IS NOT NULL),
  ADD CONSTRAINT portfolio_repairs_names_difference CHECK (stored <> recomputed);

-- A closing never changes. When one is wrong, an operator deletes all of its account: the next audit makes new ones.
CREATE TRIGGER daily_closings_never_change BEFORE UPDATE ON daily_closings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER portfolio_repairs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON portfolio_repairs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a user's matched bets can still cost, without reading those that are settled.
CREATE INDEX bets_unsettled_requester_idx ON bets (account_id, requesting_user_id)
  WHERE accepting_user_id IS NOT NULL AND is_active AND settled_outcome IS NULL;
CREATE INDEX bets_unsettled_acceptor_idx ON bets (account_id, accepting_user_id)
  WHERE accepting_user_id IS NOT NULL AND is_active AND settled_outcome IS NULL;

-- All parts of an offer, by its place in the queue.
CREATE INDEX bets_rests_idx ON bets (account_id, queue_place) WHERE queue_place <> id;
