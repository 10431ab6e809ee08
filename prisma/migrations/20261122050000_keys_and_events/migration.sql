-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "address" TEXT,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "status" TEXT NOT NULL DEFAULT 'active';

-- CreateTable
CREATE TABLE "api_keys" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "api_key" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "account_events" (
    "account_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "address" TEXT,
    "before" JSONB,
    "after" JSONB,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_account_id_name_key" ON "api_keys"("account_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_account_id_api_key_key" ON "api_keys"("account_id", "api_key");

-- CreateIndex
CREATE INDEX "account_events_account_id_created_at_id_idx" ON "account_events"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "account_events_created_at_idx" ON "account_events"("created_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "account_events" ADD CONSTRAINT "account_events_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- The pair that an account has becomes its key called default.
INSERT INTO api_keys (account_id, name, api_key, secret_hash, created_at)
  SELECT id, 'default', api_key, api_secret_hash, coalesce(api_key_generated_at, updated_at)
    FROM accounts WHERE api_key IS NOT NULL AND api_secret_hash IS NOT NULL;
UPDATE accounts a SET api_key_generated_at = (SELECT k.created_at FROM api_keys k WHERE k.account_id = a.id)
 WHERE a.api_key_generated_at IS DISTINCT FROM (SELECT k.created_at FROM api_keys k WHERE k.account_id = a.id);

ALTER TABLE "accounts" DROP COLUMN "api_key",
DROP COLUMN "api_secret_hash";

ALTER TABLE accounts ADD CONSTRAINT accounts_status_known CHECK (status IN ('active', 'suspended'));
ALTER TABLE account_events ADD CONSTRAINT account_events_actor_known CHECK
  (coalesce(actor ->> 'type', '') IN ('account', 'key', 'admin', 'command', 'unknown'));

-- The columns that say whether a credential is valid. A last use is none of them: noting it must empty no cache.
DROP TRIGGER access_tokens_tell_access ON access_tokens;
CREATE TRIGGER access_tokens_tell_access AFTER UPDATE OF account_id, token_hash, expires_at OR DELETE ON access_tokens
  FOR EACH ROW WHEN (OLD.expires_at > now()) EXECUTE FUNCTION tell_access_changed();
CREATE TRIGGER api_keys_tell_access AFTER UPDATE OF account_id, api_key, secret_hash, expires_at OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_access_changed();

-- Housekeeping deletes events that are older; nothing else may go.
CREATE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at > now() - interval '400 days' THEN
    RAISE EXCEPTION '% is append-only for 400 days: % refused', TG_TABLE_NAME, TG_OP
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER account_events_append_only BEFORE UPDATE OR TRUNCATE ON account_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_events_no_early_deletion BEFORE DELETE ON account_events
  FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion();

-- A last use is written in place: leave room beside the rows.
ALTER TABLE api_keys SET (fillfactor = 80);
ALTER TABLE access_tokens SET (fillfactor = 80);
