-- Trigram search over names and references, and bigint columns inside GIN indexes. Both are trusted extensions.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateTable
CREATE TABLE "accounts" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'business',
    "email_verified_at" TIMESTAMPTZ(3),
    "api_key" TEXT,
    "api_secret_hash" BYTEA,
    "api_key_generated_at" TIMESTAMPTZ(3),
    "preferences" JSONB NOT NULL DEFAULT '{"allow_negative_balance": false}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "verification_tokens" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verification_tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "reset_codes" (
    "account_id" BIGINT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "wrong_tries" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reset_codes_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "users" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "reference" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'user',
    "preferences" JSONB,
    "meta" JSONB,
    "search_text" TEXT GENERATED ALWAYS AS (lower(((name || chr(10)) || reference))) STORED,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "balances" (
    "account_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "exposure" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "balances_pkey" PRIMARY KEY ("account_id","user_id")
);

-- CreateTable
CREATE TABLE "wagers" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "reference" TEXT NOT NULL,
    "outcome" TEXT NOT NULL DEFAULT 'undecided',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wagers_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "bets" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "wager_id" BIGINT NOT NULL,
    "offer_status" TEXT NOT NULL DEFAULT 'requesting',
    "requesting_user_id" BIGINT NOT NULL,
    "accepting_user_id" BIGINT,
    "requesting_odds" BIGINT NOT NULL,
    "requesting_amount" BIGINT NOT NULL,
    "effective_odds" BIGINT,
    "effective_amount" BIGINT,
    "allowed_acceptor_ids" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "queue_place" BIGINT NOT NULL,
    "override_outcome" TEXT,
    "settled_outcome" TEXT,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "meta" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bets_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "bet_trails" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "bet_id" BIGINT NOT NULL,
    "wager_id" BIGINT NOT NULL,
    "offer_status" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "override_outcome" TEXT,
    "requesting_odds" BIGINT NOT NULL,
    "requesting_amount" BIGINT NOT NULL,
    "accepting_odds" BIGINT,
    "accepting_amount" BIGINT,
    "effective_odds" BIGINT,
    "effective_amount" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bet_trails_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "user_id" BIGINT NOT NULL,
    "reference" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "transaction_type" TEXT NOT NULL,
    "transaction_source" TEXT NOT NULL,
    "bet_trail_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "positions" (
    "account_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "wager_id" BIGINT NOT NULL,
    "win" BIGINT NOT NULL DEFAULT 0,
    "loss" BIGINT NOT NULL DEFAULT 0,
    "offered" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "positions_pkey" PRIMARY KEY ("account_id","user_id","wager_id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "topic" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "relayed_at" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "row_counts" (
    "account_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "rows" BIGINT NOT NULL,

    CONSTRAINT "row_counts_pkey" PRIMARY KEY ("account_id","kind","shard")
);

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "access_tokens_account_id_token_hash_key" ON "access_tokens"("account_id", "token_hash");

-- CreateIndex
CREATE INDEX "verification_tokens_expires_at_idx" ON "verification_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "verification_tokens_account_id_token_hash_key" ON "verification_tokens"("account_id", "token_hash");

-- CreateIndex
CREATE INDEX "reset_codes_expires_at_idx" ON "reset_codes"("expires_at");

-- CreateIndex
CREATE INDEX "users_account_id_created_at_id_idx" ON "users"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "users_account_id_name_id_idx" ON "users"("account_id", "name", "id");

-- CreateIndex
CREATE INDEX "users_search_idx" ON "users" USING GIN ("account_id" int8_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "users_meta_idx" ON "users" USING GIN ("account_id" int8_ops, "meta" jsonb_path_ops);

-- CreateIndex
CREATE UNIQUE INDEX "users_account_id_reference_key" ON "users"("account_id", "reference");

-- CreateIndex
CREATE INDEX "balances_account_id_balance_user_id_idx" ON "balances"("account_id", "balance", "user_id");

-- CreateIndex
CREATE INDEX "balances_account_id_exposure_user_id_idx" ON "balances"("account_id", "exposure", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "wagers_account_id_reference_key" ON "wagers"("account_id", "reference");

-- CreateIndex
CREATE INDEX "bets_account_id_wager_id_id_idx" ON "bets"("account_id", "wager_id", "id");

-- CreateIndex
CREATE INDEX "bets_account_id_requesting_user_id_id_idx" ON "bets"("account_id", "requesting_user_id", "id");

-- CreateIndex
CREATE INDEX "bets_account_id_accepting_user_id_id_idx" ON "bets"("account_id", "accepting_user_id", "id");

-- CreateIndex
CREATE INDEX "bets_account_id_created_at_id_idx" ON "bets"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "bet_trails_account_id_bet_id_id_idx" ON "bet_trails"("account_id", "bet_id", "id");

-- CreateIndex
CREATE INDEX "transactions_account_id_user_id_id_idx" ON "transactions"("account_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "transactions_account_id_bet_trail_id_idx" ON "transactions"("account_id", "bet_trail_id");

-- CreateIndex
CREATE UNIQUE INDEX "transactions_account_id_reference_key" ON "transactions"("account_id", "reference");

-- CreateIndex
CREATE INDEX "positions_account_id_wager_id_idx" ON "positions"("account_id", "wager_id");

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "verification_tokens" ADD CONSTRAINT "verification_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "reset_codes" ADD CONSTRAINT "reset_codes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "balances" ADD CONSTRAINT "balances_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "wagers" ADD CONSTRAINT "wagers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "bets" ADD CONSTRAINT "bets_account_id_wager_id_fkey" FOREIGN KEY ("account_id", "wager_id") REFERENCES "wagers"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "bets" ADD CONSTRAINT "bets_account_id_requesting_user_id_fkey" FOREIGN KEY ("account_id", "requesting_user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "bets" ADD CONSTRAINT "bets_account_id_accepting_user_id_fkey" FOREIGN KEY ("account_id", "accepting_user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "bet_trails" ADD CONSTRAINT "bet_trails_account_id_bet_id_fkey" FOREIGN KEY ("account_id", "bet_id") REFERENCES "bets"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_bet_trail_id_fkey" FOREIGN KEY ("account_id", "bet_trail_id") REFERENCES "bet_trails"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "positions" ADD CONSTRAINT "positions_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "positions" ADD CONSTRAINT "positions_account_id_wager_id_fkey" FOREIGN KEY ("account_id", "wager_id") REFERENCES "wagers"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "row_counts" ADD CONSTRAINT "row_counts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- E-mail addresses are unique without case.
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

-- The rules, repeated where nothing gets past them.
ALTER TABLE accounts
  ADD CONSTRAINT accounts_role_known CHECK (role IN ('business', 'admin')),
  ADD CONSTRAINT accounts_preferences_object CHECK (jsonb_typeof(preferences) = 'object'),
  ADD CONSTRAINT accounts_api_key_whole CHECK ((api_key IS NULL) = (api_secret_hash IS NULL));

ALTER TABLE reset_codes
  ADD CONSTRAINT reset_codes_wrong_tries_bounded CHECK (wrong_tries BETWEEN 0 AND 5);

ALTER TABLE users
  ADD CONSTRAINT users_role_known CHECK (role IN ('user')),
  ADD CONSTRAINT users_reference_length CHECK (length(reference) BETWEEN 1 AND 255),
  ADD CONSTRAINT users_preferences_object CHECK (jsonb_typeof(preferences) = 'object'),
  ADD CONSTRAINT users_meta_object CHECK (jsonb_typeof(meta) = 'object');

ALTER TABLE balances
  ADD CONSTRAINT balances_exposure_not_negative CHECK (exposure >= 0);

ALTER TABLE wagers
  ADD CONSTRAINT wagers_reference_length CHECK (length(reference) BETWEEN 1 AND 255),
  ADD CONSTRAINT wagers_outcome_known CHECK
    (outcome IN ('undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void'));

ALTER TABLE bets
  ADD CONSTRAINT bets_amount_positive CHECK (requesting_amount > 0),
  ADD CONSTRAINT bets_odds_minimum CHECK (requesting_odds >= 1000000),
  ADD CONSTRAINT bets_status_known CHECK (offer_status IN ('requesting', 'accepted', 'expired', 'canceled')),
  ADD CONSTRAINT bets_override_known CHECK
    (override_outcome IN ('undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void')),
  ADD CONSTRAINT bets_settled_known CHECK
    (settled_outcome IN ('win', 'loss', 'push', 'half-win', 'half-loss', 'void')),
  ADD CONSTRAINT bets_acceptance_whole CHECK
    (num_nonnulls(accepting_user_id, effective_odds, effective_amount) IN (0, 3)),
  ADD CONSTRAINT bets_accepted_has_acceptor CHECK (offer_status <> 'accepted' OR accepting_user_id IS NOT NULL),
  ADD CONSTRAINT bets_open_has_none CHECK
    (offer_status NOT IN ('requesting', 'canceled') OR accepting_user_id IS NULL),
  ADD CONSTRAINT bets_settled_was_accepted CHECK (settled_outcome IS NULL OR accepting_user_id IS NOT NULL),
  ADD CONSTRAINT bets_never_with_oneself CHECK (accepting_user_id <> requesting_user_id),
  ADD CONSTRAINT bets_effective_within_offer CHECK
    (effective_amount > 0 AND effective_amount <= requesting_amount AND effective_odds >= 1000000);

ALTER TABLE bet_trails
  ADD CONSTRAINT bet_trails_status_known CHECK (offer_status IN ('requesting', 'accepted', 'expired', 'canceled')),
  ADD CONSTRAINT bet_trails_outcome_known CHECK
    (outcome IN ('undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void')),
  ADD CONSTRAINT bet_trails_override_known CHECK
    (override_outcome IN ('undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void'));

ALTER TABLE transactions
  ADD CONSTRAINT transactions_type_known CHECK (transaction_type IN ('credit', 'debit', 'no-action')),
  ADD CONSTRAINT transactions_source_known CHECK (transaction_source IN ('funding', 'bet', 'withdrawal')),
  ADD CONSTRAINT transactions_sign_in_type CHECK
    (CASE transaction_type WHEN 'no-action' THEN amount = 0 ELSE amount > 0 END),
  ADD CONSTRAINT transactions_bet_has_trail CHECK ((transaction_source = 'bet') = (bet_trail_id IS NOT NULL));

-- Matching: the open offers of a wager, best for the acceptor first. Settling: the accepted bets still to move.
CREATE INDEX bets_matching_idx ON bets (account_id, wager_id, requesting_odds, queue_place, id)
  WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_open_idx ON bets (account_id, created_at, id) WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_settling_idx ON bets (account_id, wager_id, id)
  WHERE offer_status = 'accepted' AND is_active AND settled_outcome IS NULL;

-- The relay looks only at what is left to do; housekeeping only at what is over.
CREATE INDEX outbox_left_idx ON outbox (created_at) WHERE done_at IS NULL AND failed_at IS NULL;
CREATE INDEX outbox_done_idx ON outbox (done_at) WHERE done_at IS NOT NULL;

-- History is append-only: mistakes are reversed by new entries.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER bet_trails_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bet_trails
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Every process that caches who may enter listens to this; the word goes out with the commit that changed it.
CREATE FUNCTION tell_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'accounts' THEN
    PERFORM pg_notify('access_changed', NEW.id::text);
  ELSE
    PERFORM pg_notify('access_changed', OLD.account_id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER accounts_tell_access AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_access_changed();
CREATE TRIGGER access_tokens_tell_access AFTER UPDATE OR DELETE ON access_tokens
  FOR EACH ROW WHEN (OLD.expires_at > now()) EXECUTE FUNCTION tell_access_changed();

-- Exact totals without counting. A backend keeps to its own shard, so that parallel inserts seldom meet.
CREATE FUNCTION count_inserted_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts AS counted (account_id, kind, shard, rows)
    SELECT account_id, TG_TABLE_NAME, pg_backend_pid() % 16, count(*)
      FROM inserted GROUP BY account_id ORDER BY account_id
    ON CONFLICT (account_id, kind, shard) DO UPDATE SET rows = counted.rows + excluded.rows;
  RETURN NULL;
END $$;

CREATE TRIGGER users_count AFTER INSERT ON users REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_rows();

-- Rows that are rewritten in place often: leave room beside them, so that an update stays on its page.
ALTER TABLE balances SET (fillfactor = 80);
ALTER TABLE positions SET (fillfactor = 80);
ALTER TABLE row_counts SET (fillfactor = 50);
