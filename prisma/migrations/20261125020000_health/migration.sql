-- What the service must know to say whether it works: which workers live, whether a settlement moves on, and what
-- `npm run audit` has found.

-- CreateTable
CREATE TABLE "worker_heartbeats" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "jobs" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "worker_heartbeats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "command_audits" (
    "account_id" BIGINT NOT NULL,
    "audited_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_checks" INTEGER NOT NULL,

    CONSTRAINT "command_audits_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "command_audits" ADD CONSTRAINT "command_audits_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- Every beat writes the row again. No index has what it changes, so the new row stays on its page.
ALTER TABLE worker_heartbeats SET (fillfactor = 50);
ALTER TABLE worker_heartbeats ADD CONSTRAINT worker_heartbeats_jobs_bounded CHECK (octet_length(jobs::text) <= 16384);
ALTER TABLE command_audits ADD CONSTRAINT command_audits_failed_not_negative CHECK (failed_checks >= 0);

-- Last, as a registration locks: first "accounts", which the foreign key above locks, then "outbox".
ALTER TABLE "outbox" ADD COLUMN     "moved_at" TIMESTAMPTZ(3);
