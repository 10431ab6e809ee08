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
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "exports_created_at_idx" ON "exports"("created_at");

-- AddForeignKey
ALTER TABLE "exports" ADD CONSTRAINT "exports_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

ALTER TABLE exports ADD CONSTRAINT exports_kind_known CHECK (kind IN ('transactions', 'bets', 'statement'));
ALTER TABLE exports ADD CONSTRAINT exports_format_known CHECK (format IN ('csv', 'parquet'));
ALTER TABLE exports ADD CONSTRAINT exports_state_known CHECK (state IN ('queued', 'running', 'done', 'failed'));
ALTER TABLE exports ADD CONSTRAINT exports_period_ordered CHECK (period_start < period_end);
ALTER TABLE exports ADD CONSTRAINT exports_statement_of_user CHECK (kind <> 'statement' OR user_id IS NOT NULL);
ALTER TABLE exports ADD CONSTRAINT exports_user_named CHECK ((user_id IS NULL) = (user_reference IS NULL));
-- An export that is done has a whole file, and one that is not has none.
ALTER TABLE exports ADD CONSTRAINT exports_figures_when_done CHECK
  (num_nonnulls(rows, bytes, sha256, expires_at) = CASE WHEN state = 'done' THEN 4 ELSE 0 END);
ALTER TABLE exports ADD CONSTRAINT exports_failure_when_failed CHECK ((failure IS NOT NULL) = (state = 'failed'));
ALTER TABLE exports ADD CONSTRAINT exports_end_when_ended CHECK
  ((finished_at IS NOT NULL) = (state IN ('done', 'failed')));
