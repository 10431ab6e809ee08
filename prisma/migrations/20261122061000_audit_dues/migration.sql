-- Since when an account waits for a nightly audit. Null: nothing has happened in its ledger since its closing. So the
-- figure of the account that waits longest is read from an index of those that wait, however many accounts are at rest.
ALTER TABLE "account_closings" ADD COLUMN "audit_due_since" TIMESTAMPTZ(3);
UPDATE account_closings SET audit_due_since = closed_at;
CREATE INDEX account_closings_due_idx ON account_closings (audit_due_since) WHERE audit_due_since IS NOT NULL;
