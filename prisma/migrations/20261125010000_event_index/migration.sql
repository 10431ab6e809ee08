-- CreateTable
CREATE TABLE "event_indexes" (
    "account_id" BIGINT NOT NULL,
    "indexed_seq" BIGINT NOT NULL DEFAULT 0,
    "merged_seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_indexes_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "event_index_pages" (
    "account_id" BIGINT NOT NULL,
    "first_subject" BIGINT NOT NULL,
    "block" INTEGER NOT NULL,
    "first_place" INTEGER NOT NULL,
    "level" SMALLINT NOT NULL,
    "subjects" BIGINT[],
    "places" INTEGER[],

    CONSTRAINT "event_index_pages_pkey" PRIMARY KEY ("account_id","level","block","first_subject","first_place")
);

-- What schema.prisma cannot say stands below.

-- Both can be deleted at any time: the worker makes them again from event_groups. docs/events.md says what they hold.
ALTER TABLE event_index_pages ALTER COLUMN subjects SET NOT NULL, ALTER COLUMN places SET NOT NULL;
ALTER TABLE event_indexes ADD CONSTRAINT event_indexes_in_order CHECK (0 <= merged_seq AND merged_seq <= indexed_seq);
-- The worker updates the row of an account with each block.
ALTER TABLE event_indexes SET (fillfactor = 50);
