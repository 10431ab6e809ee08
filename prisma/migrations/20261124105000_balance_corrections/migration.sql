-- AlterTable
ALTER TABLE "daily_closings" ADD COLUMN     "correction" DECIMAL(38,0) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "daily_reconciliations" ADD COLUMN     "corrected" DECIMAL(38,0) NOT NULL DEFAULT 0;

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

-- CreateIndex
CREATE INDEX "balance_corrections_account_id_user_id_transaction_id_idx" ON "balance_corrections"("account_id", "user_id", "transaction_id");

-- AddForeignKey
ALTER TABLE "balance_corrections" ADD CONSTRAINT "balance_corrections_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- An operator corrects a balance by a transaction, of either direction. All rows fulfil the narrower conditions from before, so
-- they are not read again. A cluster adds one constraint in a command.
ALTER TABLE transactions DROP CONSTRAINT transactions_source_known;
ALTER TABLE transactions ADD CONSTRAINT transactions_source_known
  CHECK (transaction_source IN ('funding', 'bet', 'withdrawal', 'correction')) NOT VALID;

ALTER TABLE daily_closings DROP CONSTRAINT daily_closings_sums_to_balance;
ALTER TABLE daily_closings ADD CONSTRAINT daily_closings_sums_to_balance
  CHECK (balance = funding - withdrawal + bet + correction) NOT VALID;

ALTER TABLE daily_reconciliations DROP CONSTRAINT daily_reconciliations_adds_up;
ALTER TABLE daily_reconciliations ADD CONSTRAINT daily_reconciliations_adds_up
  CHECK (closing_balance = opening_balance + funded - withdrawn + bet_credits - bet_debits + corrected) NOT VALID;

CREATE TRIGGER balance_corrections_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON balance_corrections
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
