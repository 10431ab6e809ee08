-- AlterTable
ALTER TABLE "wagers" ADD COLUMN     "pending_cancels" JSONB;

-- What schema.prisma cannot say stands below.

ALTER TABLE wagers
  ADD CONSTRAINT wagers_pending_cancels_list CHECK (jsonb_typeof(pending_cancels) = 'array' AND pending_cancels <> '[]');

-- The few wagers that the worker is at.
CREATE INDEX wagers_pending_cancels_idx ON wagers (account_id, id) WHERE pending_cancels IS NOT NULL;
