-- AlterTable
ALTER TABLE "account_events" ADD COLUMN     "once_key" TEXT;

-- What schema.prisma cannot say stands below.

-- Of processes that note the same read in the same minute, the first one writes.
CREATE UNIQUE INDEX account_events_once_key ON account_events (account_id, once_key) WHERE once_key IS NOT NULL;
