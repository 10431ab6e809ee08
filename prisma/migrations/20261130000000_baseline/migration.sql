-- Trigram search over names and references, and bigint columns inside GIN indexes. Both are trusted extensions.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateTable
CREATE TABLE "accounts" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'business',
    "email_verified_at" TIMESTAMPTZ(3),
    "api_key_generated_at" TIMESTAMPTZ(3),
    "preferences" JSONB NOT NULL DEFAULT '{"allow_negative_balance": false}',
    "sandbox_of" BIGINT,
    "clock_ahead" BIGINT NOT NULL DEFAULT 0,
    "removed_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL DEFAULT 'active',
    "email_proved_at" TIMESTAMPTZ(3),
    "registered_from" TEXT,
    "currency" TEXT,
    "decimals" SMALLINT,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "operator_id" BIGINT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "operators" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "password_hash" TEXT,
    "second_factor_secret" TEXT,
    "second_factor_at" TIMESTAMPTZ(3),
    "second_factor_step" BIGINT,
    "recovery_hashes" BYTEA[] DEFAULT ARRAY[]::BYTEA[],
    "last_login_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "invitation_hash" BYTEA,
    "invited_until" TIMESTAMPTZ(3),

    CONSTRAINT "operators_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "operator_id" BIGINT,
    "role" TEXT NOT NULL DEFAULT 'owner',
    "api_key" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "account_events" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "address" TEXT,
    "before" JSONB,
    "after" JSONB,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "once_key" TEXT,

    CONSTRAINT "account_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "verification_tokens" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "opened_at" TIMESTAMPTZ(3),

    CONSTRAINT "verification_tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "reset_codes" (
    "account_id" BIGINT NOT NULL,
    "operator_id" BIGINT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "wrong_tries" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reset_codes_pkey" PRIMARY KEY ("account_id","operator_id")
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
    "disputed_since" TIMESTAMPTZ(3),

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
    "forced_by" JSONB,
    "settling_since" TIMESTAMPTZ(3),
    "pending_cancels" JSONB,
    "last_matched_bet_id" BIGINT,
    "matched_amount" DECIMAL(38,0) NOT NULL DEFAULT 0,
    "matched_bets" BIGINT NOT NULL DEFAULT 0,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "settled_up_to" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'open',
    "status_reason" TEXT,
    "closes_at" TIMESTAMPTZ(6),
    "has_suspendable" BOOLEAN NOT NULL DEFAULT false,
    "has_expiring" BOOLEAN NOT NULL DEFAULT false,
    "void_from" TIMESTAMPTZ(6),
    "event" TEXT,
    "starts_at" TIMESTAMPTZ(3),

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
    "cancel_on_suspend" BOOLEAN NOT NULL DEFAULT false,
    "timed_out" BOOLEAN NOT NULL DEFAULT false,
    "meta" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "spared_up_to" BIGINT,
    "expires_at" TIMESTAMPTZ(6),
    "accepted_at" TIMESTAMPTZ(6),

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
    "first_transaction_id" BIGINT,
    "last_transaction_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bet_trails_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "user_id" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "transaction_type" TEXT NOT NULL,
    "transaction_source" TEXT NOT NULL,
    "bet_trail_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "balance_after" BIGINT NOT NULL,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "movement_labels" (
    "account_id" BIGINT NOT NULL,
    "transaction_id" BIGINT NOT NULL,
    "own_reference" TEXT,
    "meta" JSONB,

    CONSTRAINT "movement_labels_pkey" PRIMARY KEY ("account_id","transaction_id")
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
CREATE TABLE "stored_answers" (
    "account_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "body" TEXT NOT NULL,
    "error_code" TEXT,
    "error_operation" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "stored_answers_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "refused_calls" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "code" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "key_kind" TEXT NOT NULL,
    "key_id" BIGINT NOT NULL,
    "key_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refused_calls_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "topic" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "relayed_at" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "moved_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "worker_heartbeats" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "jobs" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "worker_heartbeats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "row_counts" (
    "account_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "rows" BIGINT NOT NULL,

    CONSTRAINT "row_counts_pkey" PRIMARY KEY ("account_id","kind","shard")
);

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
    "audit_due_since" TIMESTAMPTZ(3),
    "last_event_seq" BIGINT NOT NULL DEFAULT 0,

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
    "correction" DECIMAL(38,0) NOT NULL DEFAULT 0,

    CONSTRAINT "daily_closings_pkey" PRIMARY KEY ("account_id","user_id","day")
);

-- CreateTable
CREATE TABLE "daily_reconciliations" (
    "account_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "audited_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_checks" INTEGER NOT NULL,
    "opening_balance" DECIMAL(38,0) NOT NULL,
    "closing_balance" DECIMAL(38,0) NOT NULL,
    "funded" DECIMAL(38,0) NOT NULL,
    "withdrawn" DECIMAL(38,0) NOT NULL,
    "bet_credits" DECIMAL(38,0) NOT NULL,
    "bet_debits" DECIMAL(38,0) NOT NULL,
    "transactions" BIGINT NOT NULL,
    "first_transaction_id" BIGINT,
    "last_transaction_id" BIGINT,
    "open_exposure" DECIMAL(38,0) NOT NULL,
    "corrected" DECIMAL(38,0) NOT NULL DEFAULT 0,

    CONSTRAINT "daily_reconciliations_pkey" PRIMARY KEY ("account_id","day")
);

-- CreateTable
CREATE TABLE "command_audits" (
    "account_id" BIGINT NOT NULL,
    "audited_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_checks" INTEGER NOT NULL,

    CONSTRAINT "command_audits_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "balance_corrections" (
    "account_id" BIGINT NOT NULL,
    "transaction_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "stored" BIGINT NOT NULL,
    "summed" BIGINT NOT NULL,
    "wrong_from" BIGINT,

    CONSTRAINT "balance_corrections_pkey" PRIMARY KEY ("account_id","transaction_id")
);

-- CreateTable
CREATE TABLE "disputes" (
    "account_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "disputes_pkey" PRIMARY KEY ("account_id","user_id")
);

-- CreateTable
CREATE TABLE "exports" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "period_end" TIMESTAMPTZ(3) NOT NULL,
    "user_id" BIGINT,
    "user_reference" TEXT,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "runs" INTEGER NOT NULL DEFAULT 0,
    "rows" BIGINT,
    "bytes" BIGINT,
    "sha256" TEXT,
    "as_of" TEXT,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "cancel_timers" (
    "account_id" BIGINT NOT NULL,
    "scope" BIGINT NOT NULL,
    "timeout_s" INTEGER NOT NULL,
    "fires_at" TIMESTAMPTZ(6),
    "fired_at" TIMESTAMPTZ(6),
    "fired_up_to" BIGINT,
    "canceling_after" BIGINT,

    CONSTRAINT "cancel_timers_pkey" PRIMARY KEY ("account_id","scope")
);

-- CreateTable
CREATE TABLE "previews" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "ledger_account_id" BIGINT NOT NULL,
    "operation" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "stops" INTEGER NOT NULL DEFAULT 0,
    "progress" INTEGER NOT NULL DEFAULT 0,
    "figures" JSONB,
    "users" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "previews_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "preview_users" (
    "account_id" BIGINT NOT NULL,
    "preview_id" BIGINT NOT NULL,
    "part" INTEGER NOT NULL,
    "users" JSONB NOT NULL,

    CONSTRAINT "preview_users_pkey" PRIMARY KEY ("account_id","preview_id","part")
);

-- CreateTable
CREATE TABLE "change_requests" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "operation" JSONB NOT NULL,
    "target" TEXT NOT NULL,
    "asks" TEXT NOT NULL,
    "reason" TEXT,
    "action" JSONB,
    "suspended" BOOLEAN NOT NULL,
    "revision" INTEGER NOT NULL,
    "shown" JSONB,
    "digest" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "made_by" BIGINT,
    "made_by_name" TEXT NOT NULL,
    "approved_by" BIGINT,
    "approved_by_name" TEXT,
    "approved_as" TEXT,
    "decided_by" BIGINT,
    "decided_by_name" TEXT,
    "decision_reason" TEXT,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "change_requests_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "event_heads" (
    "account_id" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL DEFAULT 0,
    "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "last_kind" SMALLINT NOT NULL DEFAULT 0,
    "last_ref" BIGINT NOT NULL DEFAULT 0,
    "decimals" SMALLINT,

    CONSTRAINT "event_heads_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "event_groups" (
    "account_id" BIGINT NOT NULL,
    "first_seq" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "kinds" SMALLINT[],
    "refs" BIGINT[],
    "operations" TEXT NOT NULL,
    "extras" JSONB,
    "run_id" UUID,

    CONSTRAINT "event_groups_pkey" PRIMARY KEY ("account_id","last_seq")
);

-- CreateTable
CREATE TABLE "event_indexes" (
    "account_id" BIGINT NOT NULL,
    "indexed_seq" BIGINT NOT NULL DEFAULT 0,
    "merged_seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_indexes_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "event_index_pages" (
    "account_id" BIGINT NOT NULL,
    "first_subject" BIGINT NOT NULL,
    "block" INTEGER NOT NULL,
    "first_place" INTEGER NOT NULL,
    "level" SMALLINT NOT NULL,
    "subjects" BIGINT[],
    "places" INTEGER[],

    CONSTRAINT "event_index_pages_pkey" PRIMARY KEY ("account_id","level","block","first_subject","first_place")
);

-- CreateTable
CREATE TABLE "hourly_sums" (
    "account_id" BIGINT NOT NULL,
    "subject" BIGINT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "matched_bets" BIGINT NOT NULL,
    "matched_amount" DECIMAL(38,0) NOT NULL,
    "settled_bets" BIGINT NOT NULL,
    "settled_amount" DECIMAL(38,0) NOT NULL,
    "gross_exposure" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "hourly_sums_pkey" PRIMARY KEY ("account_id","subject","hour")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "types" TEXT[],
    "mode" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "disabled_reason" TEXT,
    "cursor_seq" BIGINT NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "warned_at" TIMESTAMPTZ(3),
    "secret_now" TEXT NOT NULL,
    "secret_before" TEXT,
    "secret_before_until" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "not_before" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "lease" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "account_id" BIGINT NOT NULL,
    "endpoint_id" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "from_seq" BIGINT,
    "line" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "last_status" INTEGER,
    "last_tried_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("account_id","endpoint_id","seq")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" BIGINT NOT NULL,
    "seq" BIGINT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "error" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "access_tokens_account_id_token_hash_key" ON "access_tokens"("account_id", "token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_account_id_name_key" ON "api_keys"("account_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_account_id_api_key_key" ON "api_keys"("account_id", "api_key");

-- CreateIndex
CREATE INDEX "account_events_account_id_created_at_id_idx" ON "account_events"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "account_events_created_at_idx" ON "account_events"("created_at");

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
CREATE INDEX "wagers_account_id_created_at_id_idx" ON "wagers"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "wagers_search_idx" ON "wagers" USING GIN ("account_id" int8_ops, "reference" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "wagers_account_id_reference_key" ON "wagers"("account_id", "reference");

-- CreateIndex
CREATE INDEX "bet_trails_account_id_bet_id_idx" ON "bet_trails"("account_id", "bet_id");

-- CreateIndex
CREATE INDEX "transactions_account_id_user_id_id_idx" ON "transactions"("account_id", "user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "movement_labels_account_id_own_reference_key" ON "movement_labels"("account_id", "own_reference");

-- CreateIndex
CREATE INDEX "transactions_account_id_created_at_id_idx" ON "transactions"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "stored_answers_created_at_idx" ON "stored_answers"("created_at");

-- CreateIndex
CREATE INDEX "refused_calls_account_id_created_at_id_idx" ON "refused_calls"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "refused_calls_created_at_idx" ON "refused_calls"("created_at");

-- CreateIndex
CREATE INDEX "balance_corrections_account_id_user_id_transaction_id_idx" ON "balance_corrections"("account_id", "user_id", "transaction_id");

-- CreateIndex
CREATE INDEX "exports_created_at_idx" ON "exports"("created_at");

-- CreateIndex
CREATE INDEX "previews_created_at_idx" ON "previews"("created_at");

-- CreateIndex
CREATE INDEX "webhook_attempts_account_id_endpoint_id_id_idx" ON "webhook_attempts"("account_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_attempts_at_idx" ON "webhook_attempts"("at");

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_account_id_operator_id_fkey" FOREIGN KEY ("account_id", "operator_id") REFERENCES "operators"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "operators" ADD CONSTRAINT "operators_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_operator_id_fkey" FOREIGN KEY ("account_id", "operator_id") REFERENCES "operators"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "account_events" ADD CONSTRAINT "account_events_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "verification_tokens" ADD CONSTRAINT "verification_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "reset_codes" ADD CONSTRAINT "reset_codes_account_id_operator_id_fkey" FOREIGN KEY ("account_id", "operator_id") REFERENCES "operators"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "balances" ADD CONSTRAINT "balances_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "wagers" ADD CONSTRAINT "wagers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "row_counts" ADD CONSTRAINT "row_counts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "ledger_totals" ADD CONSTRAINT "ledger_totals_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "account_closings" ADD CONSTRAINT "account_closings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "daily_closings" ADD CONSTRAINT "daily_closings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account_closings"("account_id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "hourly_sums" ADD CONSTRAINT "hourly_sums_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "event_indexes"("account_id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "daily_reconciliations" ADD CONSTRAINT "daily_reconciliations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "command_audits" ADD CONSTRAINT "command_audits_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "balance_corrections" ADD CONSTRAINT "balance_corrections_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "exports" ADD CONSTRAINT "exports_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "previews" ADD CONSTRAINT "previews_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "preview_users" ADD CONSTRAINT "preview_users_account_id_preview_id_fkey" FOREIGN KEY ("account_id", "preview_id") REFERENCES "previews"("account_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_heads" ADD CONSTRAINT "event_heads_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_account_id_endpoint_id_fkey" FOREIGN KEY ("account_id", "endpoint_id") REFERENCES "webhook_endpoints"("account_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below. The functions of the ledger and their types are in prisma/functions.

-- E-mail addresses are unique without case.
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

-- The rules, repeated where nothing gets past them. PostgreSQL reads the text of each CHECK of a table again with every
-- statement that writes the table: what the database has checked or counted elsewhere, the audit checks.
ALTER TABLE accounts
  ADD CONSTRAINT accounts_role_known CHECK (role IN ('business', 'admin')),
  ADD CONSTRAINT accounts_status_known CHECK (status IN ('active', 'suspended')),
  ADD CONSTRAINT accounts_preferences_object CHECK (jsonb_typeof(preferences) = 'object'),
  ADD CONSTRAINT accounts_currency_code CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT accounts_decimals_bounded CHECK (decimals BETWEEN 0 AND 6),
  -- Ten years, in microseconds.
  ADD CONSTRAINT accounts_clock_bounded CHECK (clock_ahead BETWEEN 0 AND 315360000000000),
  ADD CONSTRAINT accounts_real_stay CHECK (sandbox_of IS NOT NULL OR (clock_ahead = 0 AND removed_since IS NULL)),
  ADD CONSTRAINT accounts_sandbox_is_business CHECK (sandbox_of IS NULL OR role = 'business');
-- The few sandboxes: of a business, and with a clock ahead.
CREATE INDEX accounts_sandboxes_idx ON accounts (sandbox_of, id) WHERE sandbox_of IS NOT NULL;
CREATE INDEX accounts_ahead_idx ON accounts (id) WHERE clock_ahead > 0;

ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_role_known CHECK (role IN ('viewer', 'trader', 'settler', 'owner'));

ALTER TABLE operators
  ADD CONSTRAINT operators_role_known CHECK (role IN ('viewer', 'trader', 'settler', 'approver', 'owner')),
  ADD CONSTRAINT operators_state_known CHECK (state IN ('invited', 'active', 'suspended', 'deleted')),
  ADD CONSTRAINT operators_invited_have_no_password CHECK (state <> 'invited' OR password_hash IS NULL),
  ADD CONSTRAINT operators_invitation_ends CHECK
    ((invitation_hash IS NULL) = (invited_until IS NULL) AND (invitation_hash IS NULL OR state = 'invited')),
  ADD CONSTRAINT operators_second_factor_encrypted CHECK (second_factor_secret ~ '^[0-9a-f]{8}:[A-Za-z0-9_-]{60,}$'),
  ADD CONSTRAINT operators_second_factor_whole CHECK
    (second_factor_at IS NULL OR (second_factor_secret IS NOT NULL AND second_factor_step IS NOT NULL)),
  ADD CONSTRAINT operators_recovery_codes_few CHECK (cardinality(recovery_hashes) <= 10);
-- An e-mail is one operator of one account.
CREATE UNIQUE INDEX operators_email_key ON operators (lower(email)) WHERE state <> 'deleted';

ALTER TABLE account_events
  ADD CONSTRAINT account_events_actor_known CHECK
    (coalesce(actor ->> 'type', '') IN ('account', 'key', 'admin', 'command', 'unknown'));
-- What one person did.
CREATE INDEX account_events_operator_idx ON account_events (account_id, (actor ->> 'operator_id'), created_at, id)
  WHERE actor ->> 'operator_id' IS NOT NULL;

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
    (outcome IN ('undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void')),
  ADD CONSTRAINT wagers_status_known CHECK (status IN ('open', 'suspended', 'closed')),
  ADD CONSTRAINT wagers_status_reason_length CHECK (length(status_reason) BETWEEN 1 AND 200),
  ADD CONSTRAINT wagers_event_length CHECK (length(event) BETWEEN 1 AND 255),
  ADD CONSTRAINT wagers_open_for_no_reason CHECK (status <> 'open' OR status_reason IS NULL),
  ADD CONSTRAINT wagers_forced_by_object CHECK (jsonb_typeof(forced_by) = 'object'),
  ADD CONSTRAINT wagers_pending_cancels_list CHECK (jsonb_typeof(pending_cancels) = 'array' AND pending_cancels <> '[]');

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
  ADD CONSTRAINT bets_timed_out_is_expired CHECK
    (NOT timed_out OR (expires_at IS NOT NULL AND offer_status <> 'requesting' AND accepting_user_id IS NULL)),
  ADD CONSTRAINT bets_settled_was_accepted CHECK (settled_outcome IS NULL OR accepting_user_id IS NOT NULL),
  ADD CONSTRAINT bets_never_with_oneself CHECK (accepting_user_id <> requesting_user_id),
  ADD CONSTRAINT bets_effective_within_offer CHECK
    (effective_amount > 0 AND effective_amount <= requesting_amount AND effective_odds >= 1000000);

ALTER TABLE movement_labels
  ADD CONSTRAINT movement_labels_say_something CHECK (own_reference IS NOT NULL OR meta IS NOT NULL),
  ADD CONSTRAINT movement_labels_reference_filled CHECK (own_reference <> ''),
  ADD CONSTRAINT movement_labels_meta_object CHECK (jsonb_typeof(meta) = 'object');

-- Money comes in by a funding and goes out by a withdrawal, never the other way. A correction of a balance has either direction.
ALTER TABLE transactions
  ADD CONSTRAINT transactions_type_known CHECK (transaction_type IN ('credit', 'debit', 'no-action')),
  ADD CONSTRAINT transactions_source_known CHECK (transaction_source IN ('funding', 'bet', 'withdrawal', 'correction')),
  ADD CONSTRAINT transactions_sign_in_type CHECK
    (CASE transaction_type WHEN 'no-action' THEN amount = 0 ELSE amount > 0 END),
  ADD CONSTRAINT transactions_bet_has_trail CHECK ((transaction_source = 'bet') = (bet_trail_id IS NOT NULL)),
  ADD CONSTRAINT transactions_funding_is_credit CHECK (transaction_source <> 'funding' OR transaction_type = 'credit'),
  ADD CONSTRAINT transactions_withdrawal_is_debit CHECK
    (transaction_source <> 'withdrawal' OR transaction_type = 'debit');

ALTER TABLE stored_answers
  ADD CONSTRAINT stored_answers_key_length CHECK (length(key) BETWEEN 1 AND 255),
  -- What went wrong on our side is tried again, not repeated.
  ADD CONSTRAINT stored_answers_status_final CHECK (status BETWEEN 200 AND 499);

ALTER TABLE refused_calls
  ADD CONSTRAINT refused_calls_key_kind_known CHECK (key_kind IN ('api-key', 'session')),
  ADD CONSTRAINT refused_calls_status_refused CHECK (status BETWEEN 400 AND 599);

ALTER TABLE daily_closings
  ADD CONSTRAINT daily_closings_sums_to_balance CHECK (balance = funding - withdrawal + bet + correction);

-- A later audit of the same night replaces its row: the verdict may be another.
ALTER TABLE daily_reconciliations
  ADD CONSTRAINT daily_reconciliations_adds_up CHECK
    (closing_balance = opening_balance + funded - withdrawn + bet_credits - bet_debits + corrected),
  ADD CONSTRAINT daily_reconciliations_names_ids CHECK
    ((transactions = 0) = (first_transaction_id IS NULL) AND (transactions = 0) = (last_transaction_id IS NULL));

ALTER TABLE command_audits
  ADD CONSTRAINT command_audits_failed_not_negative CHECK (failed_checks >= 0);

ALTER TABLE exports
  ADD CONSTRAINT exports_kind_known CHECK (kind IN ('transactions', 'bets', 'statement')),
  ADD CONSTRAINT exports_format_known CHECK (format IN ('csv', 'parquet')),
  ADD CONSTRAINT exports_state_known CHECK (state IN ('queued', 'running', 'done', 'failed')),
  ADD CONSTRAINT exports_period_ordered CHECK (period_start < period_end),
  ADD CONSTRAINT exports_statement_of_user CHECK (kind <> 'statement' OR user_id IS NOT NULL),
  ADD CONSTRAINT exports_user_named CHECK ((user_id IS NULL) = (user_reference IS NULL)),
  -- An export that is done has a whole file, and one that is not has none.
  ADD CONSTRAINT exports_figures_when_done CHECK
    (num_nonnulls(rows, bytes, sha256, as_of, expires_at) = CASE WHEN state = 'done' THEN 5 ELSE 0 END),
  ADD CONSTRAINT exports_failure_when_failed CHECK ((failure IS NOT NULL) = (state = 'failed')),
  ADD CONSTRAINT exports_end_when_ended CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed')));

ALTER TABLE cancel_timers
  ADD CONSTRAINT cancel_timers_timeout_bounded CHECK (timeout_s BETWEEN 10 AND 300),
  ADD CONSTRAINT cancel_timers_names_last_offer CHECK ((fired_at IS NULL) = (fired_up_to IS NULL)),
  ADD CONSTRAINT cancel_timers_cancels_when_fired CHECK (canceling_after IS NULL OR fired_at IS NOT NULL);

ALTER TABLE previews
  ADD CONSTRAINT previews_state_known CHECK (state IN ('running', 'done', 'failed')),
  ADD CONSTRAINT previews_figures_when_done CHECK ((figures IS NOT NULL) = (state = 'done')),
  ADD CONSTRAINT previews_failure_when_failed CHECK ((failure IS NOT NULL) = (state = 'failed'));

-- Two people: who approves or rejects is another one than who made it, whatever roles they have.
ALTER TABLE change_requests
  ADD CONSTRAINT change_requests_state_known CHECK
    (state IN ('pending', 'executed', 'rejected', 'withdrawn', 'expired', 'failed')),
  ADD CONSTRAINT change_requests_asks_known CHECK (asks IN ('account', 'admin', 'both')),
  ADD CONSTRAINT change_requests_another_decides CHECK
    (state NOT IN ('executed', 'rejected', 'failed') OR (decided_by IS NOT NULL AND decided_by IS DISTINCT FROM made_by)),
  ADD CONSTRAINT change_requests_another_approves CHECK
    (approved_by IS NULL OR (approved_by IS DISTINCT FROM made_by
                             AND (decided_by IS DISTINCT FROM approved_by OR state IN ('pending', 'rejected')))),
  ADD CONSTRAINT change_requests_approval_whole CHECK
    (num_nonnulls(approved_by, approved_by_name, approved_as) IN (0, 3)),
  ADD CONSTRAINT change_requests_both_approve CHECK
    (asks <> 'both' OR state NOT IN ('executed', 'failed') OR approved_by IS NOT NULL),
  ADD CONSTRAINT change_requests_end_when_ended CHECK ((decided_at IS NOT NULL) = (state <> 'pending')),
  ADD CONSTRAINT change_requests_failure_when_failed CHECK ((failure IS NOT NULL) = (state = 'failed')),
  ADD CONSTRAINT change_requests_reasons_short CHECK (length(reason) <= 500 AND length(decision_reason) <= 500),
  ADD CONSTRAINT change_requests_digest_when_shown CHECK ((digest IS NOT NULL) = (shown IS NOT NULL));

ALTER TABLE webhook_endpoints
  ALTER COLUMN types SET NOT NULL,
  ADD CONSTRAINT webhook_endpoints_types_few CHECK (cardinality(types) BETWEEN 1 AND 50),
  ADD CONSTRAINT webhook_endpoints_mode_known CHECK (mode IN ('ordered', 'keyed', 'doorbell')),
  ADD CONSTRAINT webhook_endpoints_state_known CHECK (state IN ('active', 'failing', 'disabled')),
  ADD CONSTRAINT webhook_endpoints_reason_when_disabled CHECK ((disabled_reason IS NOT NULL) = (state = 'disabled')),
  ADD CONSTRAINT webhook_endpoints_failing_since CHECK
    (state = 'disabled' OR (failing_since IS NOT NULL) = (state = 'failing')),
  ADD CONSTRAINT webhook_endpoints_cursor_in_log CHECK (cursor_seq >= 0),
  ADD CONSTRAINT webhook_endpoints_lease_whole CHECK ((lease IS NULL) = (lease_until IS NULL)),
  -- A secret is stored encrypted or not at all.
  ADD CONSTRAINT webhook_endpoints_secrets_encrypted CHECK
    (secret_now ~ '^[0-9a-f]{8}:[A-Za-z0-9_-]{70,}$' AND secret_before ~ '^[0-9a-f]{8}:[A-Za-z0-9_-]{70,}$' IS NOT FALSE),
  ADD CONSTRAINT webhook_endpoints_secret_before_ends CHECK ((secret_before IS NULL) = (secret_before_until IS NULL));

ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_range CHECK (seq > 0 AND from_seq < seq IS NOT FALSE),
  ADD CONSTRAINT webhook_deliveries_attempts_counted CHECK (attempts >= 0);

ALTER TABLE webhook_attempts
  ADD CONSTRAINT webhook_attempts_has_result CHECK (num_nonnulls(status, error) >= 1);

ALTER TABLE worker_heartbeats
  ADD CONSTRAINT worker_heartbeats_jobs_bounded CHECK (octet_length(jobs::text) <= 16384);

-- An event is element i of the arrays of its group, and its number is first_seq + i - 1. docs/events.md says what they hold.
ALTER TABLE event_groups ALTER COLUMN kinds SET NOT NULL, ALTER COLUMN refs SET NOT NULL;

-- The index of events can be deleted at any time: the worker makes it again from event_groups.
ALTER TABLE event_index_pages ALTER COLUMN subjects SET NOT NULL, ALTER COLUMN places SET NOT NULL;
ALTER TABLE event_indexes ADD CONSTRAINT event_indexes_in_order CHECK (0 <= merged_seq AND merged_seq <= indexed_seq);
ALTER TABLE hourly_sums ADD CONSTRAINT hourly_sums_at_hours CHECK (extract(epoch FROM hour) % 3600 = 0);

-- docs/decisions/0023 says which request or guarantee needs each index of bets and transactions. An open offer is in three
-- indexes beside its key; every other bet is in up to four others; one more has those with `meta`. So an offer pays for none of the indexes of matched bets.
-- Settlement changes no column of any index, so PostgreSQL updates a settled bet in place: its pages have room for that.
-- Matching: the open offers of a wager, best for the acceptor first, with all that the list of one wager's offers looks at.
CREATE INDEX bets_matching_idx ON bets (account_id, wager_id, requesting_odds, queue_place, id)
  INCLUDE (requesting_amount, created_at) WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_open_idx ON bets (account_id, created_at, id) INCLUDE (requesting_odds, requesting_amount)
  WHERE offer_status = 'requesting' AND is_active;
-- Cancelling: one user's open offers in a wager, oldest first.
CREATE INDEX bets_own_open_idx ON bets (account_id, requesting_user_id, wager_id, queue_place, id)
  WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_closed_idx ON bets (account_id, created_at, id) INCLUDE (effective_odds, effective_amount)
  WHERE NOT (offer_status = 'requesting' AND is_active);
-- Settling: the bets of a wager in the order in which they are settled.
CREATE INDEX bets_wager_idx ON bets (account_id, wager_id, offer_status, id)
  WHERE NOT (offer_status = 'requesting' AND is_active);
-- What a user offered and accepted: its history, and the check of its portfolio, wager by wager.
CREATE INDEX bets_requester_idx ON bets (account_id, requesting_user_id, wager_id, id)
  WHERE NOT (offer_status = 'requesting' AND is_active);
CREATE INDEX bets_acceptor_idx ON bets (account_id, accepting_user_id, wager_id, id)
  WHERE accepting_user_id IS NOT NULL;
-- All parts of an offer, by its place in the queue.
CREATE INDEX bets_rests_idx ON bets (account_id, queue_place) WHERE queue_place <> id;
-- What a filter on `meta` looks for: of each text at its top, a hash of account, key and text. A text itself may be too long for an index.
-- It stands here and not in prisma/functions: indexes need it, so it can be neither dropped nor changed.
CREATE FUNCTION meta_texts(account_id bigint, meta jsonb) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(pg_catalog.hashtextextended(key || '=' || (value #>> '{}'), account_id)), '{}')
    FROM pg_catalog.jsonb_each(meta) WHERE pg_catalog.jsonb_typeof(value) = 'string'
$$;
-- The bets that it finds. A bet without `meta` pays nothing. Each row pays at once for its own entries: a list of pending ones
-- would be merged by whichever group of writes fills it, also for other accounts.
CREATE INDEX bets_meta_idx ON bets USING GIN (meta_texts(account_id, meta)) WITH (fastupdate = off) WHERE meta <> '{}';
CREATE INDEX movement_labels_meta_idx ON movement_labels USING GIN (meta_texts(account_id, meta))
  WITH (fastupdate = off) WHERE meta <> '{}';

-- The few wagers that the worker is at.
CREATE INDEX wagers_settling_idx ON wagers (account_id, settling_since, id) WHERE settling_since IS NOT NULL;
-- The wagers that can still cost anything, the newest first. Offers and acceptances change nothing that it holds.
CREATE INDEX wagers_undecided_idx ON wagers (account_id, created_at, id) WHERE outcome = 'undecided';
-- The wagers of one event.
CREATE INDEX wagers_event_idx ON wagers (account_id, event, created_at, id) WHERE event IS NOT NULL;
CREATE INDEX wagers_pending_cancels_idx ON wagers (account_id, id) WHERE pending_cancels IS NOT NULL;
-- What time has still to end, by that time: the worker looks twice a second for what is due, in all accounts.
CREATE INDEX wagers_closing_idx ON wagers (closes_at, account_id, id)
  WHERE closes_at IS NOT NULL AND status <> 'closed' AND outcome = 'undecided';
CREATE INDEX bets_expiring_idx ON bets (expires_at, account_id, wager_id)
  WHERE expires_at IS NOT NULL AND offer_status = 'requesting' AND is_active;
CREATE INDEX cancel_timers_due_idx ON cancel_timers (fires_at) WHERE fires_at IS NOT NULL;
CREATE INDEX cancel_timers_fired_idx ON cancel_timers (fired_at) WHERE canceling_after IS NOT NULL;
-- The same of one sandbox, whose clock may be years ahead: its look must not pass what is due then in other accounts.
CREATE INDEX wagers_closing_of_account_idx ON wagers (account_id, closes_at)
  WHERE closes_at IS NOT NULL AND status <> 'closed' AND outcome = 'undecided';
CREATE INDEX bets_expiring_of_account_idx ON bets (account_id, expires_at)
  WHERE expires_at IS NOT NULL AND offer_status = 'requesting' AND is_active;

-- The relay looks only at what is left to do, and failed ledger work is still tried; housekeeping only at what is over. The
-- condition is the sweep's own: an index of fewer rows would make it read a week of done entries every two seconds.
CREATE INDEX outbox_left_idx ON outbox (created_at)
  WHERE done_at IS NULL AND (failed_at IS NULL OR topic NOT LIKE '%-mail');
CREATE INDEX outbox_done_idx ON outbox (done_at) WHERE done_at IS NOT NULL;
-- The few that were given up: metrics count them, operators look at them.
CREATE INDEX outbox_failed_idx ON outbox (failed_at) WHERE done_at IS NULL AND failed_at IS NOT NULL;

-- Since when an account waits for a nightly audit. Null: nothing has happened in its ledger since its closing. So the
-- figure of the account that waits longest is read from an index of those that wait, however many accounts are at rest.
CREATE INDEX account_closings_due_idx ON account_closings (audit_due_since) WHERE audit_due_since IS NOT NULL;
-- The files that count for the quota of an account: each run of an export reads them.
CREATE INDEX exports_kept_idx ON exports (expires_at) INCLUDE (account_id, bytes) WHERE state = 'done';
-- One request of a target waits at a time; the worker looks twice a second for those whose time has come.
CREATE UNIQUE INDEX change_requests_pending_key ON change_requests (account_id, target) WHERE state = 'pending';
CREATE INDEX change_requests_due_idx ON change_requests (expires_at) WHERE state = 'pending';
-- Of processes that note the same read in the same minute, the first one writes.
CREATE UNIQUE INDEX account_events_once_key ON account_events (account_id, once_key) WHERE once_key IS NOT NULL;
-- The id of the run of a group of tasks, drawn before the run begins, in the log of one of its accounts. Two commits of one run
-- violate the index. Events of accounts, users and exports have none.
CREATE UNIQUE INDEX event_groups_run_idx ON event_groups (account_id, run_id) WHERE run_id IS NOT NULL;

-- History is append-only: mistakes are reversed by new entries. A transaction that says that it removes a sandbox passes the
-- trigger of the statement, and `refuse_removal` looks at each row.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('ledger.removes_sandbox', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER bet_trails_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bet_trails
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER movement_labels_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON movement_labels
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balance_corrections_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON balance_corrections
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_groups_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event_groups
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_events_append_only BEFORE UPDATE OR TRUNCATE ON account_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- A closing never changes. When one is wrong, an operator deletes all of its account: the next audit makes new ones.
CREATE TRIGGER daily_closings_never_change BEFORE UPDATE ON daily_closings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What is decided stays as it is.
CREATE TRIGGER change_requests_decided_stay BEFORE UPDATE ON change_requests
  FOR EACH ROW WHEN (OLD.state <> 'pending') EXECUTE FUNCTION refuse_change();

-- Housekeeping deletes events that are older; nothing else may go.
CREATE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at > now() - interval '400 days'
     AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = OLD.account_id AND a.removed_since IS NOT NULL) THEN
    RAISE EXCEPTION '% is append-only for 400 days: % refused', TG_TABLE_NAME, TG_OP
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER account_events_no_early_deletion BEFORE DELETE ON account_events
  FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion();

-- Nothing that money refers to is ever deleted or gets another key. With that, and with the audit, foreign keys of the ledger's
-- tables would only repeat what the writing transaction has read under its locks.
CREATE FUNCTION refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('ledger.removes_sandbox', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'rows of % stay, with their keys: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER users_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, id ON users
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE TRIGGER wagers_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, id ON wagers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE TRIGGER bets_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, id ON bets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE TRIGGER event_heads_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id ON event_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();

-- Only the rows of a sandbox that is being deleted go. A real account never becomes one.
CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM accounts a WHERE a.id = OLD.account_id AND a.removed_since IS NOT NULL) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'rows of % stay: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER bet_trails_rows_stay BEFORE DELETE ON bet_trails FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER transactions_rows_stay BEFORE DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER movement_labels_rows_stay BEFORE DELETE ON movement_labels FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER balance_corrections_rows_stay BEFORE DELETE ON balance_corrections FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER event_groups_rows_stay BEFORE DELETE ON event_groups FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER change_requests_rows_stay BEFORE DELETE ON change_requests FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER users_rows_stay BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER wagers_rows_stay BEFORE DELETE ON wagers FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER bets_rows_stay BEFORE DELETE ON bets FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER event_heads_rows_stay BEFORE DELETE ON event_heads FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER accounts_sandboxes_stay BEFORE UPDATE OF id, sandbox_of ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();

-- The terms of a bet never change. No statement of the ledger names these columns; the trigger costs an ordinary update nothing.
CREATE FUNCTION refuse_new_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the terms of a bet stay as they are: % of % refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER bets_terms_stay
  BEFORE UPDATE OF wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place ON bets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_new_terms();
-- What an acceptance has agreed stays. A trigger BEFORE each row would lock and log the row once more; this one reads the two
-- versions of the row, and calls the function only to refuse.
CREATE TRIGGER bets_agreement_stays
  AFTER UPDATE OF accepting_user_id, effective_odds, effective_amount ON bets FOR EACH ROW
  WHEN ((old.accepting_user_id IS NOT NULL AND new.accepting_user_id IS DISTINCT FROM old.accepting_user_id)
     OR (old.effective_odds IS NOT NULL AND new.effective_odds IS DISTINCT FROM old.effective_odds)
     OR (old.effective_amount IS NOT NULL AND new.effective_amount IS DISTINCT FROM old.effective_amount))
  EXECUTE FUNCTION refuse_new_terms();

-- Every process that caches who may enter listens to this; the word goes out with the commit that changed it.
CREATE FUNCTION tell_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'accounts' THEN
    PERFORM pg_notify('access_changed', NEW.id::text);
    IF NEW.status <> OLD.status THEN
      PERFORM pg_notify('access_changed', a.id::text) FROM accounts a WHERE a.sandbox_of = NEW.id;
    END IF;
  ELSE
    PERFORM pg_notify('access_changed', OLD.account_id::text);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_tell_access AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_access_changed();
-- The columns that say whether a credential is valid. A last use is none of them: noting it must empty no cache.
CREATE TRIGGER access_tokens_tell_access AFTER UPDATE OF account_id, token_hash, expires_at, proved_at OR DELETE ON access_tokens
  FOR EACH ROW WHEN (OLD.expires_at > now()) EXECUTE FUNCTION tell_access_changed();
CREATE TRIGGER operators_tell_access AFTER UPDATE OF account_id, name, email, role, state, second_factor_at ON operators
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_access_changed();
CREATE TRIGGER api_keys_tell_access AFTER UPDATE OF account_id, operator_id, role, api_key, secret_hash, expires_at OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_access_changed();

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

-- Rows that are rewritten in place often: no index holds what moves in them, so an update stays on its page as long as there is
-- room beside the row.
ALTER TABLE balances SET (fillfactor = 50);
ALTER TABLE positions SET (fillfactor = 70);
ALTER TABLE wagers SET (fillfactor = 80);
ALTER TABLE row_counts SET (fillfactor = 50);
ALTER TABLE ledger_totals SET (fillfactor = 50);
ALTER TABLE event_heads SET (fillfactor = 20);
ALTER TABLE event_indexes SET (fillfactor = 50);
-- The rows of the present hour are written again with each block.
ALTER TABLE hourly_sums SET (fillfactor = 80);
ALTER TABLE api_keys SET (fillfactor = 80);
ALTER TABLE access_tokens SET (fillfactor = 80);
ALTER TABLE webhook_endpoints SET (fillfactor = 50);
ALTER TABLE worker_heartbeats SET (fillfactor = 50);
-- Settlement changes all bets of a page in one transaction: each has room for its second version there.
ALTER TABLE bets SET (fillfactor = 41);
-- The ids of requests do not compress: only the row of a large settlement is worth the try.
ALTER TABLE event_groups SET (toast_tuple_target = 8160);
-- Lists that sort by odds or amount read these columns from the index alone, which needs a fresh visibility map.
ALTER TABLE bets SET (autovacuum_vacuum_insert_scale_factor = 0.05);
-- Housekeeping deletes the oldest answers all the time, and a search for the oldest passes the deleted ones until a vacuum.
ALTER TABLE stored_answers SET (autovacuum_vacuum_scale_factor = 0.02);
