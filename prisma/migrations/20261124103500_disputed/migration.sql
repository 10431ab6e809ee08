-- The check of portfolios disputes what differs, and repairs nothing. What it repaired before stands in portfolio_repairs.

-- AlterTable
ALTER TABLE "balances" ADD COLUMN     "disputed_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "disputes" (
    "account_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "disputes_pkey" PRIMARY KEY ("account_id","user_id")
);

-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- As before, and with the third figure of a user: 1 when its balance is disputed.
CREATE OR REPLACE FUNCTION lock_users(p_waits boolean, p_positions wanted_position[]) RETURNS SETOF loaded_row LANGUAGE plpgsql AS $$
DECLARE
  wanted wanted_bet[];
  locked bigint;
BEGIN
  SELECT array_agg(ROW(n.account_id, n.user_id)::wanted_bet) INTO wanted
    FROM (SELECT DISTINCT account_id, user_id FROM unnest(p_positions) ORDER BY account_id, user_id) n;
  IF p_waits THEN
    PERFORM FROM balances b
      WHERE (b.account_id, b.user_id) IN (SELECT n.account_id, n.id FROM unnest(wanted) n)
      ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE;
  END IF;
  RETURN QUERY
    SELECT 'user', b.account_id, b.user_id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, b.balance, b.exposure,
           CASE WHEN b.disputed_since IS NOT NULL THEN 1::bigint END, NULL::bigint,
           u.preferences ->> 'allow_negative_balance' = 'true', u.reference, NULL::text,
           NULL::text, NULL::text
      FROM unnest(wanted) n
      JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
       FOR NO KEY UPDATE OF b SKIP LOCKED;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF locked < cardinality(wanted) THEN
    RETURN QUERY
      SELECT 'known user', u.account_id, u.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, u.reference, NULL, NULL, NULL
        FROM unnest(wanted) n
        JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
        JOIN users u ON u.account_id = n.account_id AND u.id = n.id;
  END IF;
  RETURN QUERY
    SELECT 'position', p.account_id, NULL::bigint, p.wager_id, p.user_id, NULL::bigint, NULL::bigint, p.win, p.loss, p.offered,
           NULL::bigint, NULL::boolean, NULL, NULL, NULL, NULL
      FROM unnest(p_positions) n
      JOIN positions p ON p.account_id = n.account_id AND p.user_id = n.user_id AND p.wager_id = n.wager_id;
END $$;
