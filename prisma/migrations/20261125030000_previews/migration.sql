-- AlterTable
ALTER TABLE "wagers" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "previews" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "ledger_account_id" BIGINT NOT NULL,
    "operation" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "progress" INTEGER NOT NULL DEFAULT 0,
    "figures" JSONB,
    "users" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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

-- CreateIndex
CREATE INDEX "previews_created_at_idx" ON "previews"("created_at");

-- AddForeignKey
ALTER TABLE "previews" ADD CONSTRAINT "previews_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "preview_users" ADD CONSTRAINT "preview_users_account_id_preview_id_fkey" FOREIGN KEY ("account_id", "preview_id") REFERENCES "previews"("account_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

ALTER TABLE previews ADD CONSTRAINT previews_state_known CHECK (state IN ('running', 'done', 'failed'));
ALTER TABLE previews ADD CONSTRAINT previews_figures_when_done CHECK ((figures IS NOT NULL) = (state = 'done'));
ALTER TABLE previews ADD CONSTRAINT previews_failure_when_failed CHECK ((failure IS NOT NULL) = (state = 'failed'));
