-- The table is called what it is called everywhere else: stored answers.
ALTER TABLE "kept_answers" RENAME TO "stored_answers";
ALTER TABLE "stored_answers" RENAME CONSTRAINT "kept_answers_pkey" TO "stored_answers_pkey";
ALTER TABLE "stored_answers" RENAME CONSTRAINT "kept_answers_account_id_fkey" TO "stored_answers_account_id_fkey";
ALTER TABLE "stored_answers" RENAME CONSTRAINT "kept_answers_key_length" TO "stored_answers_key_length";
ALTER TABLE "stored_answers" RENAME CONSTRAINT "kept_answers_status_final" TO "stored_answers_status_final";
ALTER INDEX "kept_answers_created_at_idx" RENAME TO "stored_answers_created_at_idx";
