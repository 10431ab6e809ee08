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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
CREATE INDEX "webhook_attempts_account_id_endpoint_id_id_idx" ON "webhook_attempts"("account_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_attempts_at_idx" ON "webhook_attempts"("at");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_account_id_endpoint_id_fkey" FOREIGN KEY ("account_id", "endpoint_id") REFERENCES "webhook_endpoints"("account_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

ALTER TABLE webhook_endpoints ALTER COLUMN types SET NOT NULL;
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_types_few CHECK (cardinality(types) BETWEEN 1 AND 50);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_mode_known CHECK (mode IN ('ordered', 'keyed', 'doorbell'));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_state_known CHECK (state IN ('active', 'failing', 'disabled'));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_reason_when_disabled CHECK
  ((disabled_reason IS NOT NULL) = (state = 'disabled'));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_failing_since CHECK
  (state = 'disabled' OR (failing_since IS NOT NULL) = (state = 'failing'));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_cursor_in_log CHECK (cursor_seq >= 0);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_lease_whole CHECK ((lease IS NULL) = (lease_until IS NULL));
-- A secret is stored encrypted or not at all.
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_secrets_encrypted CHECK
  (secret_now ~ '^[0-9a-f]{8}:[A-Za-z0-9_-]{70,}$' AND secret_before ~ '^[0-9a-f]{8}:[A-Za-z0-9_-]{70,}$' IS NOT FALSE);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_secret_before_ends CHECK
  ((secret_before IS NULL) = (secret_before_until IS NULL));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_range CHECK (seq > 0 AND from_seq < seq IS NOT FALSE);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_attempts_counted CHECK (attempts >= 0);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_has_result CHECK (num_nonnulls(status, error) >= 1);
-- Rows come and go, and each delivery changes its endpoint's row.
ALTER TABLE webhook_endpoints SET (fillfactor = 50);
