-- Prisma fills in `now()` by the clock of its process. What it does not know, PostgreSQL fills in.

-- AlterTable
ALTER TABLE "disputes" ALTER COLUMN "opened_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "exports" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "outbox" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "previews" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "stored_answers" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "verification_tokens" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "webhook_endpoints" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp(),
ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();
