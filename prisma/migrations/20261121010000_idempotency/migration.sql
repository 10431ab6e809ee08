-- CreateTable
CREATE TABLE "kept_answers" (
    "account_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_answers_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE INDEX "kept_answers_created_at_idx" ON "kept_answers"("created_at");

-- AddForeignKey
ALTER TABLE "kept_answers" ADD CONSTRAINT "kept_answers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

ALTER TABLE kept_answers
  ADD CONSTRAINT kept_answers_key_length CHECK (length(key) BETWEEN 1 AND 255),
  -- What went wrong on our side is tried anew, not repeated.
  ADD CONSTRAINT kept_answers_status_final CHECK (status BETWEEN 200 AND 499);
