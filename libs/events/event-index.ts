import { eventKinds, stepKinds } from '#core/records.js';
import { type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { addToHours } from './hourly-sums.js';

/*
 * The index of an account's log by user, wager and bet. The worker makes it from the log, a block of events at a time: the
 * commit of an event does nothing for it. A block is a row for each 128 of its entries (subject, place), sorted. So an entry
 * takes 12 bytes, and no page of an earlier block is written again. 128 small blocks become a large one, because a reader
 * looks into each block that may have events of its subject.
 */

export const blockSizes = { small: 1_024n, large: 131_072n } as const;
export const levels = { small: 0, large: 1 } as const;
type BlockSize = keyof typeof blockSizes;

/** A row of that many entries is written in one piece, on a page with others. */
export const ENTRIES_OF_PAGE = 128;
/** One transaction indexes at most so many small blocks. Most of its work is to write the hourly sums, each of them once. */
const MOST_BLOCKS = 4n;
/** A look finds the others when these have had their turn. */
const MOST_AT_ONCE = 1_000;
const LAST = Prisma.sql`9223372036854775807`;

/** A thing that events are about. The index writes it as a number of its own: four times its id, and which table has it. */
export type Subject = bigint;
const TABLES = { user: 0n, wager: 1n, bet: 2n } as const;
/** The account itself. */
export const WHOLE_ACCOUNT: Subject = 3n;
export const subjectOf = (table: keyof typeof TABLES, id: bigint): Subject => id * 4n + TABLES[table];

/** `seq`, `kind` and `subject` of the events with these numbers; one that is about several subjects has several rows. */
export const subjectsOfEvents = (accountId: bigint, from: bigint, until: bigint): Prisma.Sql => Prisma.sql`
  SELECT e.seq, e.kind, s.subject
    FROM (SELECT g.first_seq + e.place - 1 AS seq, e.kind, e.ref, g.extras -> (e.place - 1)::text AS extra
            FROM event_groups g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
           WHERE g.account_id = ${accountId} AND g.last_seq >= ${from}::bigint
             AND g.last_seq <= coalesce((SELECT min(l.last_seq) FROM event_groups l
                                          WHERE l.account_id = ${accountId} AND l.last_seq >= ${until}::bigint), ${LAST})
             AND g.first_seq + e.place - 1 BETWEEN ${from}::bigint AND ${until}::bigint) e
   CROSS JOIN LATERAL (
     SELECT unnest(ARRAY[t.bet_id * 4 + 2, t.wager_id * 4 + 1, b.requesting_user_id * 4,
                         CASE WHEN t.effective_amount IS NOT NULL THEN b.accepting_user_id * 4 END]) AS subject
       FROM bet_trails t JOIN bets b ON b.account_id = ${accountId} AND b.id = t.bet_id
      WHERE e.kind BETWEEN ${stepKinds.first} AND ${stepKinds.last} AND t.account_id = ${accountId} AND t.id = e.ref
     UNION ALL
     SELECT x.user_id * 4 FROM transactions x
      WHERE e.kind = ${eventKinds['transaction.created']} AND x.account_id = ${accountId} AND x.id = e.ref
     UNION ALL
     SELECT e.ref * 4 WHERE e.kind = ANY (${OF_USERS}::smallint[])
     UNION ALL
     SELECT unnest(ARRAY[e.ref * 4 + 1, (e.extra -> 'canceling' ->> 'user_id')::bigint * 4])
      WHERE e.kind = ANY (${OF_WAGERS}::smallint[])
     OFFSET 0) s
   WHERE s.subject IS NOT NULL`;

const kindsOf = (family: string): number[] =>
  Object.entries(eventKinds).flatMap(([kind, number]) => (kind.startsWith(family) ? [number] : []));
const OF_USERS = kindsOf('user.');
const OF_WAGERS = kindsOf('wager.');

interface IndexState {
  readonly indexedSeq: bigint;
  readonly mergedSeq: bigint;
  readonly lastSeq: bigint;
}

/** The accounts with a whole block of events that are not indexed, the furthest behind first. */
export async function findUnindexed(database: Database): Promise<bigint[]> {
  const found = await database.inAll((tables) =>
    queryRows<{ accountId: bigint }>(
      tables,
      Prisma.sql`
      SELECT h.account_id AS "accountId"
        FROM event_heads h LEFT JOIN event_indexes i ON i.account_id = h.account_id
       WHERE h.last_seq - coalesce(i.indexed_seq, 0) >= ${blockSizes.small}::bigint
       ORDER BY h.last_seq - coalesce(i.indexed_seq, 0) DESC LIMIT ${MOST_AT_ONCE}`,
    ),
  );
  return found.flat().map(({ accountId }) => accountId);
}

/**
 * Indexes the next blocks of the account, or makes a large block of small ones. Its transaction moves the mark with the
 * entries and adds the blocks to the hourly sums, under a lock of the mark: it can be killed, and run twice or at once.
 * `isCautious`: it indexes one small block, and makes no large one. False: there was nothing to do.
 */
export async function indexNextBlocks(database: Database, accountId: bigint, isCautious = false): Promise<boolean> {
  const tables = database.of(accountId);
  // By itself: another worker would wait for a row that is not committed. The account may have been deleted meanwhile.
  await tables.$executeRaw`
    INSERT INTO event_indexes (account_id) SELECT account_id FROM event_heads WHERE account_id = ${accountId}
        ON CONFLICT DO NOTHING`;
  return withTx(tables, async (tx) => {
    const [state] = await queryRows<IndexState>(
      tx,
      Prisma.sql`
      SELECT i.indexed_seq AS "indexedSeq", i.merged_seq AS "mergedSeq", h.last_seq AS "lastSeq"
        FROM event_indexes i JOIN event_heads h ON h.account_id = i.account_id
       WHERE i.account_id = ${accountId} FOR UPDATE OF i SKIP LOCKED`,
    );
    if (state === undefined) return false;
    const { indexedSeq: after, mergedSeq, lastSeq } = state;
    const { large } = blockSizes;
    if (!isCautious && after - mergedSeq >= large) return mergeBlocks(tx, accountId, mergedSeq);
    const isLarge = !isCautious && lastSeq - after >= large && after === mergedSeq;
    const size = isLarge ? 'large' : 'small';
    const whole = (lastSeq - after) / blockSizes[size];
    const count = isCautious || isLarge ? 1n : MOST_BLOCKS;
    return whole > 0n && indexBlocks(tx, { accountId, size, after, count: whole < count ? whole : count });
  });
}

interface Blocks {
  readonly accountId: bigint;
  readonly size: BlockSize;
  /** The number before their first event. */
  readonly after: bigint;
  readonly count: bigint;
}

const endOf = ({ size, after, count }: Blocks): bigint => after + count * blockSizes[size];

/** The place of an entry: 256 times the position of the event in its block, counted from 0, plus the event's kind. */
async function indexBlocks(tx: Tx, blocks: Blocks): Promise<true> {
  const { accountId, size, after } = blocks;
  const [from, until] = [after + 1n, endOf(blocks)];
  const sizeSql = Prisma.sql`${blockSizes[size]}::bigint`;
  await writeBlocks(
    tx,
    blocks,
    Prisma.sql`SELECT (e.seq - 1) / ${sizeSql} AS block, e.subject,
                      ((e.seq - 1) % ${sizeSql} * 256 + e.kind)::int AS place
                 FROM (${subjectsOfEvents(accountId, from, until)}) e`,
  );
  await addToHours(tx, accountId, { from, until });
  if (size === 'large') return moveMarks(tx, accountId, { indexedSeq: until, mergedSeq: until });
  return moveMarks(tx, accountId, { indexedSeq: until });
}

async function mergeBlocks(tx: Tx, accountId: bigint, after: bigint): Promise<true> {
  const { small, large } = blockSizes;
  const blocks: Blocks = { accountId, size: 'large', after, count: 1n };
  const smallOfLarge = Prisma.sql`${large / small}::bigint`;
  await writeBlocks(
    tx,
    blocks,
    Prisma.sql`SELECT p.block / ${smallOfLarge} AS block, e.subject,
                      (p.block % ${smallOfLarge} * ${small}::bigint * 256 + e.place)::int AS place
                 FROM (SELECT * FROM ${pagesIn(blocks, 'small')}) p
                CROSS JOIN LATERAL unnest(p.subjects, p.places) AS e (subject, place)`,
  );
  return moveMarks(tx, accountId, { mergedSeq: after + large });
}

/** The pages of all blocks of a size in the range of these. */
const pagesIn = (blocks: Blocks, size: BlockSize): Prisma.Sql => Prisma.sql`event_index_pages p
  WHERE p.account_id = ${blocks.accountId} AND p.level = ${levels[size]}
    AND p.block >= ${blocks.after / blockSizes[size]}::bigint
    AND p.block < ${endOf(blocks) / blockSizes[size]}::bigint`;

/** In place of what an index that was deleted has left there. A large block is in place of its small ones. */
async function writeBlocks(tx: Tx, blocks: Blocks, entries: Prisma.Sql): Promise<void> {
  const { accountId, size } = blocks;
  await tx.$executeRaw`DELETE FROM ${pagesIn(blocks, size)}`;
  await tx.$executeRaw`
    INSERT INTO event_index_pages (account_id, level, block, first_subject, first_place, subjects, places)
    SELECT ${accountId}, ${levels[size]}, block, subjects[1], places[1], subjects, places
      FROM (SELECT block, array_agg(subject ORDER BY subject, place) AS subjects,
                   array_agg(place ORDER BY subject, place) AS places
              FROM (SELECT block, subject, place,
                           (row_number() OVER (PARTITION BY block ORDER BY subject, place) - 1) / ${ENTRIES_OF_PAGE}::int AS page
                      FROM (${entries}) entries) numbered
             GROUP BY block, page) pages`;
  if (size === 'large') await tx.$executeRaw`DELETE FROM ${pagesIn(blocks, 'small')}`;
}

async function moveMarks(tx: Tx, accountId: bigint, to: { indexedSeq?: bigint; mergedSeq?: bigint }): Promise<true> {
  await tx.prisma.eventIndex.update({ where: { accountId }, data: to });
  return true;
}
