-- DropIndex
DROP INDEX "positions_account_id_wager_id_idx";

-- CreateIndex
CREATE INDEX "positions_account_id_wager_id_user_id_idx" ON "positions"("account_id", "wager_id", "user_id");

-- What schema.prisma cannot say stands below.

-- The few that were given up: metrics count them, operators look at them.
CREATE INDEX outbox_failed_idx ON outbox (failed_at) WHERE done_at IS NULL AND failed_at IS NOT NULL;
