-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "email_proved_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "verification_tokens" ADD COLUMN "opened_at" TIMESTAMPTZ(3);
