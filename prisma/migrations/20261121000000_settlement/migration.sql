-- DropIndex
DROP INDEX "bets_account_id_wager_id_id_idx";

-- AlterTable
ALTER TABLE "wagers" ADD COLUMN     "forced_by" JSONB,
ADD COLUMN     "settling_since" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "bets_state_idx" ON "bets"("account_id", "wager_id", "offer_status", "settled_outcome", "id");

-- CreateIndex
CREATE INDEX "wagers_account_id_created_at_id_idx" ON "wagers"("account_id", "created_at", "id");

-- What schema.prisma cannot say stands below.

-- A wager's bets stand in the index by what is applied of them; one that moves leaves its place. So the next bets to
-- settle are found without passing those that are settled, and the older index for it is of no use any more.
DROP INDEX bets_settling_idx;

ALTER TABLE wagers
  ADD CONSTRAINT wagers_forced_by_object CHECK (jsonb_typeof(forced_by) = 'object');

-- The few wagers that the worker is at.
CREATE INDEX wagers_settling_idx ON wagers (account_id, settling_since, id) WHERE settling_since IS NOT NULL;
