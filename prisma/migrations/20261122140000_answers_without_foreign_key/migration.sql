-- PostgreSQL looked up and locked the account for each stored answer: the request that is answered has proved that it exists.
-- On a cluster there is no such key, because accounts are on the coordinator alone.
ALTER TABLE "stored_answers" DROP CONSTRAINT IF EXISTS "stored_answers_account_id_fkey";
