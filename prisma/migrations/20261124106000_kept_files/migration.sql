-- What schema.prisma cannot say stands below.

-- The files that count for the quota of an account: each run of an export reads them.
CREATE INDEX exports_kept_idx ON exports (expires_at) INCLUDE (account_id, bytes) WHERE state = 'done';
