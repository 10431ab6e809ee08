import { blockSizes, ENTRIES_OF_PAGE, levels, type Subject, subjectsOfEvents } from '#events/event-index.js';
import { type EventMark, logHeadOf, markOfHead } from '#events/event-position.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';

// Finds the numbers of the events about some subjects: in the index as far as that goes, and in the log itself behind it.

/** A request looks through so many events that are not indexed, or that no index can find. */
const MOST_UNINDEXED = 10_000n;
/** A request looks for its subjects in the blocks of so many events. */
const MOST_INDEXED = 1_024n * blockSizes.large;
/** The first statement looks at so many, each later one at more, while the one before has found few entries. */
const FIRST_SPAN = 32_768n;
/** A request reads so many pages with entries of its subjects: there are more only where it wants few of these entries. */
const MOST_PAGES = 500;
const FEW_PAGES = 64;
/** A statement reads pages of so many blocks, so many of each block and subject: its subjects may suddenly be in every event. */
const BLOCKS_AT_ONCE = 16;
const PAGES_OF_BLOCK = 32;

export interface LogEnd {
  readonly head: EventMark;
  readonly indexedSeq: bigint;
}

/** The end of the log and that of its index. */
export async function readLogEnd(tables: AccountTables | Tx, accountId: bigint): Promise<LogEnd> {
  const [row] = await queryRows<{ logHead: string | null; indexedSeq: bigint | null }>(
    tables,
    Prisma.sql`${preparedAs('head and index of a log')}
    SELECT ${logHeadOf(accountId)} AS "logHead",
           (SELECT indexed_seq FROM event_indexes WHERE account_id = ${accountId}) AS "indexedSeq"`,
  );
  return { head: markOfHead(row?.logHead ?? null), indexedSeq: row?.indexedSeq ?? 0n };
}

export interface EventSearch {
  readonly accountId: bigint;
  /** Events about all of them. */
  readonly subjects: readonly Subject[];
  /** The numbers of kinds. Undefined: all. */
  readonly kinds: readonly number[] | undefined;
  /** The first number and the last, both included. */
  readonly from: bigint;
  readonly until: bigint;
  readonly order: 'oldest' | 'newest';
  readonly limit: number;
}

export interface FoundEvents {
  /** In the order of the search. */
  readonly seqs: readonly bigint[];
  /** The number at which the search has ended: those behind it, in its order, were not looked at. */
  readonly reached: bigint;
}

export async function findEvents(
  tables: AccountTables | Tx,
  search: EventSearch,
  indexedSeq: bigint,
): Promise<FoundEvents> {
  const run = new SearchRun(tables, search, indexedSeq);
  while (run.hasMore) await run.step();
  return run.found;
}

class SearchRun {
  readonly #seqs: bigint[] = [];
  /** Those that are still to be looked at. */
  #from: bigint;
  #until: bigint;
  #span = FIRST_SPAN;
  #indexedLeft = MOST_INDEXED;
  #pagesLeft = MOST_PAGES;
  #unindexedLeft = MOST_UNINDEXED;

  constructor(
    private readonly database: AccountTables | Tx,
    private readonly search: EventSearch,
    private indexedSeq: bigint,
  ) {
    this.#from = search.from;
    this.#until = search.until;
  }

  get #isAscending(): boolean {
    return this.search.order === 'oldest';
  }

  get #isIndexed(): boolean {
    return (this.#isAscending ? this.#from : this.#until) <= this.indexedSeq;
  }

  get hasMore(): boolean {
    if (this.#seqs.length >= this.search.limit || this.#from > this.#until) return false;
    return this.#isIndexed ? this.#indexedLeft > 0n && this.#pagesLeft > 0 : this.#unindexedLeft > 0n;
  }

  get found(): FoundEvents {
    const passed = this.#isAscending ? this.#from - 1n : this.#until + 1n;
    const isFull = this.#seqs.length >= this.search.limit;
    return { seqs: this.#seqs, reached: isFull ? (this.#seqs.at(-1) ?? passed) : passed };
  }

  step(): Promise<void> {
    return this.#isIndexed ? this.#lookUp() : this.#lookThrough();
  }

  async #lookUp(): Promise<void> {
    const part = this.#next(least(this.#span, this.#indexedLeft));
    const { indexedSeq, reached, seqs, pages } = await readBlocks(this.database, part);
    // Behind its end the statement saw no block: the index may have been deleted meanwhile.
    this.indexedSeq = indexedSeq ?? 0n;
    if (!this.#isIndexed) return;
    const { from } = part;
    const until = least(part.until, this.indexedSeq);
    const range = this.#isAscending ? { from, until: reached ?? until } : { from: reached ?? from, until };
    const size = range.until - range.from + 1n;
    this.#take(seqs, range);
    this.#indexedLeft -= size;
    this.#pagesLeft -= pages;
    if (reached !== null) this.#span = greatest(size, FIRST_SPAN);
    else if (pages < FEW_PAGES) this.#span *= pages < 4 ? 32n : 4n;
  }

  async #lookThrough(): Promise<void> {
    const { from, ...part } = this.#next(this.#unindexedLeft);
    const range = { from: this.#isAscending ? from : greatest(from, this.indexedSeq + 1n), until: part.until };
    this.#take(await readUnindexed(this.database, { ...part, ...range }), range);
    this.#unindexedLeft -= range.until - range.from + 1n;
  }

  /** The next numbers, in the order of the search. */
  #next(size: bigint): EventSearch {
    const [from, until] = [this.#from, this.#until];
    const range = this.#isAscending
      ? { from, until: least(until, from + size - 1n) }
      : { from: greatest(from, until - size + 1n), until };
    return { ...this.search, ...range, limit: this.search.limit - this.#seqs.length };
  }

  #take(seqs: readonly bigint[], { from, until }: Pick<EventSearch, 'from' | 'until'>): void {
    this.#seqs.push(...seqs);
    if (this.#isAscending) this.#from = until + 1n;
    else this.#until = from - 1n;
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);

interface BlocksRow {
  /** Null: there is no index. */
  readonly indexedSeq: bigint | null;
  /** The last number that the pages cover, in the order of the search. Null: they cover all that were asked for. */
  readonly reached: bigint | null;
  readonly pages: number;
  readonly seqs: readonly bigint[];
}

const orderOf = ({ order }: EventSearch): Prisma.Sql => (order === 'oldest' ? Prisma.sql`ASC` : Prisma.sql`DESC`);

/** The blocks of a size that have some of the wanted events. */
const blocksOf = (
  { from, until }: EventSearch,
  {
    size,
    after,
    end,
  }: { readonly size: keyof typeof blockSizes; readonly after: Prisma.Sql; readonly end: Prisma.Sql },
): Prisma.Sql => Prisma.sql`
  SELECT ${levels[size]}::smallint AS level, b::int AS block, b * ${blockSizes[size]}::bigint AS before, ${blockSizes[size]}::bigint AS size
    FROM state, generate_series(greatest(${from}::bigint - 1, ${after}) / ${blockSizes[size]}::bigint,
                                least(${until}::bigint - 1, ${end} - 1) / ${blockSizes[size]}::bigint) AS b
   WHERE ${end} > greatest(${from}::bigint - 1, ${after})`;

/**
 * The next blocks that have all subjects. One statement reads the marks of the index and its pages: a snapshot in which both agree.
 * The entries of a subject begin in the page before the first one that begins with it.
 */
async function readBlocks(tables: AccountTables | Tx, search: EventSearch): Promise<BlocksRow> {
  const { accountId, subjects, kinds, from, until, limit } = search;
  const order = orderOf(search);
  const [isBefore, first, last] =
    search.order === 'oldest'
      ? [Prisma.sql`<=`, Prisma.sql`min`, Prisma.sql`max`]
      : [Prisma.sql`>=`, Prisma.sql`max`, Prisma.sql`min`];
  // Of a subject whose every event is wanted, the first pages are enough.
  const isWhole = subjects.length === 1 && kinds === undefined;
  const pagesOfBlock = isWhole ? Math.ceil(limit / ENTRIES_OF_PAGE) + 1 : PAGES_OF_BLOCK;
  const pagesOf = Prisma.sql`event_index_pages p WHERE p.account_id = ${accountId} AND p.level = b.level AND p.block = b.block`;
  const [row] = await queryRows<BlocksRow>(
    tables,
    Prisma.sql`${preparedAs(`blocks of the event index from the ${search.order}`)}
    WITH state AS MATERIALIZED (SELECT indexed_seq, merged_seq FROM event_indexes WHERE account_id = ${accountId}),
    blocks AS MATERIALIZED (
      SELECT *, greatest(${from}::bigint - 1 - before, 0)::int * 256 AS first_place,
             least(${until}::bigint - before, size)::int * 256 - 1 AS last_place
        FROM (${blocksOf(search, { size: 'large', after: Prisma.sql`0`, end: Prisma.sql`merged_seq` })}
              UNION ALL ${blocksOf(search, { size: 'small', after: Prisma.sql`merged_seq`, end: Prisma.sql`indexed_seq` })}) b
       WHERE NOT EXISTS (
         SELECT FROM unnest(${subjects}::bigint[]) AS s (subject)
          WHERE s.subject = ANY ((SELECT p.subjects FROM ${pagesOf} AND p.first_subject <= s.subject
                                   ORDER BY p.first_subject DESC, p.first_place DESC LIMIT 1)::bigint[]) IS NOT TRUE)
       ORDER BY before ${order} LIMIT ${BLOCKS_AT_ONCE}::int),
    pages AS MATERIALIZED (
      SELECT b.before, b.first_place, b.last_place, s.subject, page.subjects, page.places, page.begins
        FROM blocks b CROSS JOIN unnest(${subjects}::bigint[]) AS s (subject)
       CROSS JOIN LATERAL (
         (SELECT p.subjects, p.places, NULL::int AS begins FROM ${pagesOf} AND (p.first_subject, p.first_place) < (s.subject, b.first_place)
           ORDER BY p.first_subject DESC, p.first_place DESC LIMIT 1)
         UNION ALL
         (SELECT p.subjects, p.places, p.first_place FROM ${pagesOf} AND p.first_subject = s.subject
             AND p.first_place BETWEEN b.first_place AND b.last_place
           ORDER BY p.first_place ${order} LIMIT ${pagesOfBlock}::int)) page
       WHERE s.subject = ANY (page.subjects)),
    -- Where the pages of a block may go on behind those that were read, and the blocks behind these.
    ends AS (
      SELECT before + ${last}(begins) / 256 + 1 AS seq FROM pages GROUP BY before, subject HAVING count(begins) = ${pagesOfBlock}::int
       UNION ALL
      SELECT ${last}(before + ${search.order === 'oldest' ? Prisma.sql`last_place` : Prisma.sql`first_place`} / 256 + 1)
        FROM blocks HAVING count(*) = ${BLOCKS_AT_ONCE}::int),
    reached AS MATERIALIZED (SELECT ${first}(seq) AS seq FROM ends),
    found AS (
      SELECT p.before + e.place / 256 + 1 AS seq
        FROM pages p CROSS JOIN LATERAL unnest(p.subjects, p.places) AS e (subject, place)
       WHERE e.subject = p.subject AND e.place BETWEEN p.first_place AND p.last_place
         AND (${kinds ?? null}::int[] IS NULL OR e.place % 256 = ANY (${kinds ?? null}::int[]))
       GROUP BY 1 HAVING count(*) = ${subjects.length}::int)
    SELECT (SELECT indexed_seq FROM state) AS "indexedSeq", (SELECT count(*)::int FROM pages) AS pages,
           (SELECT seq FROM reached) AS reached,
           ARRAY(SELECT f.seq FROM found f, reached r WHERE r.seq IS NULL OR f.seq ${isBefore} r.seq
                  ORDER BY f.seq ${order} LIMIT ${limit}::int) AS seqs`,
  );
  return row as BlocksRow;
}

async function readUnindexed(tables: AccountTables | Tx, search: EventSearch): Promise<bigint[]> {
  const { accountId, subjects, kinds, from, until, limit } = search;
  const rows = await queryRows<{ seq: bigint }>(
    tables,
    Prisma.sql`${preparedAs(`unindexed events from the ${search.order}`)}
    SELECT e.seq FROM (${subjectsOfEvents(accountId, from, until)}) e
     WHERE e.subject = ANY (${subjects}::bigint[]) AND (${kinds ?? null}::int[] IS NULL OR e.kind = ANY (${kinds ?? null}::int[]))
     GROUP BY e.seq HAVING count(*) = ${subjects.length}::int
     ORDER BY e.seq ${orderOf(search)} LIMIT ${limit}::int`,
  );
  return rows.map(({ seq }) => seq);
}
