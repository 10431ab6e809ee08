-- AlterTable
ALTER TABLE "bets" ADD COLUMN "spared_up_to" BIGINT;

-- What schema.prisma cannot say stands below.

CREATE TYPE spared_offer AS (account_id bigint, id bigint, up_to bigint);

-- A pending cancel has a position. Those under way get one behind all bets: as before, they name what is open in their range.
DO $$
DECLARE
  drawn bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM wagers w WHERE w.pending_cancels IS NOT NULL) THEN RETURN; END IF;
  drawn := nextval('bets_id_seq');
  UPDATE wagers w
     SET pending_cancels = (SELECT jsonb_agg(cancel.item || jsonb_build_object('position', drawn) ORDER BY cancel.place)
                              FROM jsonb_array_elements(w.pending_cancels) WITH ORDINALITY AS cancel (item, place))
   WHERE w.pending_cancels IS NOT NULL;
END $$;
