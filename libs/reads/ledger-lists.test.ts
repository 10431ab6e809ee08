import { beforeAll, describe, expect, it } from '@jest/globals';
import type { UserFilters, UserMeta } from '#accounts/users/user.js';
import { userSortFields } from '#accounts/users/user.js';
import type { TransactionSource, TransactionType } from '#core/records.js';
import { Prisma } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { numbered, pagesByNumber, pagesByPlace, placed } from '#testing/list-pages.js';
import { chooser, insertBets, insertTransactions } from '#testing/list-rows.js';
import type { TotalRow } from './list-reader.js';
import type { List, PageRequest } from './page.js';
import { listPositions } from './position-list.js';
import type { TransactionListRequest } from './transaction.js';
import { listTransactions } from './transaction-list.js';
import { listUsers } from './user-list.js';
import { type WagerListRequest, wagerSortFields } from './wager.js';
import { listWagers } from './wager-list.js';

// The lists of users, wagers, transactions and positions.

const ledger = useLedgerDatabase();
/** Four users to search for; many users; many wagers and transactions; the same wagers again. */
const [SEARCHED, CROWDED, BUSY, OTHER] = [3n, 4n, 5n, 6n];
const WHOLE = numbered(1, 1_000);
const directions = [false, true];

beforeAll(async () => {
  await ledger.query(`
    INSERT INTO accounts (name, email) SELECT n, n || '@example.com' FROM unnest('{c,d,e,f}'::text[]) n;
    INSERT INTO users (account_id, name, reference, meta) VALUES
      (${SEARCHED}, 'Ann Smith', 'ann', '{"level": "gold", "country": "se"}'),
      (${SEARCHED}, 'Bob 100%', 'bob_1', '{"level": "gold", "country": "no"}'),
      (${SEARCHED}, 'Zoë SMITHSON', 'zoe', '{"level": "Gold", "note": ""}'),
      (${SEARCHED}, 'Dan', 'smithy-ref', NULL);
    INSERT INTO users (account_id, reference, name, created_at)
      SELECT ${CROWDED}, 'r' || i, 'Name ' || i * 7919 % 30, timestamptz '2026-01-01' + i % 20 * interval '1 s'
        FROM generate_series(1, 150) i;
    INSERT INTO balances (account_id, user_id, balance, exposure)
      SELECT account_id, id, id * 31 % 40 * 1000000, id * 17 % 30 * 500000 FROM users
       WHERE account_id IN (${SEARCHED}, ${CROWDED})`);
  await insertBets(ledger.environment.database, Number(BUSY), 1);
  await insertTransactions(ledger.environment.database, Number(BUSY), 140);
  await ledger.query(`
    INSERT INTO wagers (account_id, reference, outcome, created_at, settling_since, status, closes_at)
      SELECT a, 'm' || i, (ARRAY['undecided', 'win', 'half-loss', 'undecided', 'void'])[i % 5 + 1],
             timestamptz '2026-04-01Z' + i * 7 % 10 * interval '1 hour',
             CASE WHEN i % 11 = 1 THEN timestamptz '2026-04-02 00:00:00.5Z' END,
             (ARRAY['open', 'suspended', 'closed', 'open'])[i % 4 + 1],
             CASE i % 3 WHEN 1 THEN timestamptz '2099-01-01Z' + i * 7 % 4 * interval '1 hour'
                        WHEN 2 THEN timestamptz '2026-04-01Z' END
        FROM generate_series(1, 47) i, unnest(ARRAY[${CROWDED}, ${OTHER}]) a`);
});

const idsOf = (items: readonly { readonly id: bigint }[]) => items.map(({ id }) => id);
const idsBy = async (query: string) => (await ledger.query(query)).map(({ id }) => BigInt(String(id)));

/** The same rows in their order by number, and by place in both directions. */
async function expectRows<Item extends { readonly id: bigint }>(
  read: (page: PageRequest) => Promise<List<Item, TotalRow>>,
  ids: readonly bigint[],
): Promise<void> {
  expect(idsOf((await pagesByNumber(read, 17)).flat())).toEqual(ids);
  const { forwards, backwards } = await pagesByPlace(read, 17);
  expect(idsOf(forwards.flat())).toEqual(ids);
  expect(idsOf(backwards.flat())).toEqual(ids);
}

const usersOf = (accountId: bigint, given: Partial<UserFilters>, page = WHOLE) =>
  listUsers(ledger.database, accountId, {
    search: undefined,
    meta: {},
    sortBy: 'id',
    sortOrder: 'asc',
    page,
    ...given,
  });

describe('the list of users', () => {
  const found = async (given: Partial<UserFilters>) => {
    const { items, totals } = await usersOf(SEARCHED, given);
    expect(totals?.total).toBe(BigInt(items.length));
    return items.map(({ reference }) => reference);
  };

  it.each([
    ['SMITH', ['ann', 'zoe', 'smithy-ref']],
    ['zoË', ['zoe']],
    ['100%', ['bob_1']],
    ['%', ['bob_1']],
    ['b_1', ['bob_1']],
    ['_', ['bob_1']],
    ['n', ['ann', 'zoe', 'smithy-ref']],
    [' ', ['ann', 'bob_1', 'zoe']],
    ['\\', []],
    ['\n', []],
  ])('has those with %j in a name or reference, literally and without case', async (search, references) => {
    expect(await found({ search })).toEqual(references);
  });

  it.each<[UserMeta, string[]]>([
    [{ level: 'gold' }, ['ann', 'bob_1']],
    [{ level: 'Gold' }, ['zoe']],
    [{ level: 'gold', country: 'se' }, ['ann']],
    [{ level: 'gold', country: 'dk' }, []],
    [{ note: '' }, ['zoe']],
    [{ nothing: 'x' }, []],
    [JSON.parse('{"__proto__": "x"}'), []],
  ])('has those with the meta fields %j', async (meta, references) => {
    expect(await found({ meta })).toEqual(references);
  });

  it('has those that a search and a meta field both leave', async () => {
    expect(await found({ meta: { level: 'gold' }, search: 'smith' })).toEqual(['ann']);
  });

  const orders = userSortFields.flatMap((sortBy) =>
    (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
  );

  it.each(orders)('stands by $sortBy $sortOrder, ties by id', async ({ sortBy, sortOrder }) => {
    const ids =
      await idsBy(`SELECT u.id FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id
      WHERE u.account_id = ${CROWDED}
      ORDER BY ${['balance', 'exposure'].includes(sortBy) ? 'b' : 'u'}.${sortBy} ${sortOrder}, u.id ${sortOrder}`);
    await expectRows((page) => usersOf(CROWDED, { sortBy, sortOrder }, page), ids);
  });

  it.each(['name', 'exposure'] as const)('stands by %s also when it is searched', async (sortBy) => {
    const ids =
      await idsBy(`SELECT u.id FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id
      WHERE u.account_id = ${CROWDED} AND u.name LIKE 'Name 1%' ORDER BY ${sortBy}, u.id`);
    expect(ids.length).toBeGreaterThan(30);
    await expectRows((page) => usersOf(CROWDED, { sortBy, search: 'name 1' }, page), ids);
  });

  it('shows what a user has', async () => {
    const [row] = await ledger.query(`SELECT balance, exposure FROM balances b
      JOIN users u ON u.account_id = b.account_id AND u.id = b.user_id WHERE u.reference = 'zoe'`);
    const [zoe] = (await usersOf(SEARCHED, { search: 'zoe' })).items;
    expect(zoe).toMatchObject({ balance: BigInt(String(row?.balance)), exposure: BigInt(String(row?.exposure)) });
  });

  it('has no user of another account', async () => {
    expect((await usersOf(SEARCHED, { search: 'r1' })).items).toEqual([]);
  });
});

const wagersOf = (given: Partial<WagerListRequest>, page = WHOLE) =>
  listWagers(ledger.database, {
    accountIds: [CROWDED],
    outcomes: undefined,
    references: undefined,
    isSettling: undefined,
    sortBy: 'id',
    descending: false,
    page,
    ...given,
  });

const IS_SETTLING = 'settling_since IS NOT NULL';
const IS_CLOSING = `(closes_at IS NOT NULL AND closes_at > now() AND status <> 'closed' AND outcome = 'undecided')`;

describe('the list of wagers', () => {
  const orders = wagerSortFields.flatMap((sortBy) => directions.map((descending) => ({ sortBy, descending })));

  it.each(orders)('stands by $sortBy, descending $descending, ties by id', async ({ sortBy, descending }) => {
    const way = descending ? 'DESC' : 'ASC';
    for (const accountIds of [[CROWDED], [CROWDED, OTHER]]) {
      const ids = await idsBy(
        `SELECT id FROM wagers WHERE account_id IN (${accountIds}) AND ${sortBy === 'closes_at' ? IS_CLOSING : 'TRUE'}
          ORDER BY ${sortBy} ${way}, id ${way}`,
      );
      const isClosing = sortBy === 'closes_at' || undefined;
      await expectRows((page) => wagersOf({ accountIds, sortBy, descending, isClosing }, page), ids);
    }
  });

  it.each<[Partial<WagerListRequest>, string]>([
    [{ outcomes: ['win'] }, `outcome = 'win'`],
    [{ outcomes: ['void', 'half-loss'] }, `outcome IN ('void', 'half-loss')`],
    [{ outcomes: ['loss'] }, 'FALSE'],
    [{ references: ['m4'] }, `reference = 'm4'`],
    [{ references: ['m4', 'm40', 'M5', 'm%', 'nothing'] }, `reference IN ('m4', 'm40')`],
    [{ references: ['m1', 'm3'], outcomes: ['undecided'] }, `reference = 'm3'`],
    [{ isSettling: true }, IS_SETTLING],
    [{ isSettling: false }, `NOT ${IS_SETTLING}`],
    [{ isSettling: true, outcomes: ['void'] }, `${IS_SETTLING} AND outcome = 'void'`],
    [{ isClosing: true }, IS_CLOSING],
    [{ isClosing: false }, `NOT ${IS_CLOSING}`],
    [{ closesUntil: new Date('2099-01-01T01:00:00Z') }, `closes_at <= '2099-01-01T01:00:00Z'`],
    [
      { isClosing: true, closesUntil: new Date('2099-01-01T01:00:00Z') },
      `${IS_CLOSING} AND closes_at <= '2099-01-01T01:00:00Z'`,
    ],
  ])('has what %j leaves, and counts it', async (filter, condition) => {
    const ids = await idsBy(`SELECT id FROM wagers WHERE account_id = ${CROWDED} AND ${condition} ORDER BY id`);
    await expectRows((page) => wagersOf(filter, page), ids);
    expect((await wagersOf(filter)).totals?.total).toBe(BigInt(ids.length));
  });
});

const transactionsOf = (given: Partial<TransactionListRequest>, page = WHOLE, accountId = BUSY) =>
  listTransactions(ledger.database, accountId, {
    userIds: undefined,
    userReferences: undefined,
    type: undefined,
    source: undefined,
    createdFrom: undefined,
    createdUntil: undefined,
    page,
    ...given,
  });

describe('the list of transactions', () => {
  interface Row {
    readonly id: bigint;
    readonly userId: bigint;
    readonly user: string;
    readonly type: TransactionType;
    readonly source: TransactionSource;
    readonly at: Date;
  }
  type Rule = readonly [filter: Partial<TransactionListRequest>, matches: (row: Row) => boolean];
  const EIGHTH = new Date('2026-03-08T06:00:00Z');
  let rows: readonly Row[];

  beforeAll(async () => {
    rows = await queryRows<Row>(
      ledger.database.of(BUSY),
      Prisma.sql`
      SELECT t.id, t.user_id AS "userId", u.reference AS "user", transaction_type AS type, transaction_source AS source,
             t.created_at AS at
        FROM transactions t JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id
       WHERE t.account_id = ${BUSY} ORDER BY t.created_at, t.id`,
    );
  });

  const rules = (): readonly Rule[] => [
    [{ userReferences: ['u1', 'u2'] }, ({ user }) => ['u1', 'u2'].includes(user)],
    [{ userIds: [rows[0]?.userId ?? 0n, 999_999n] }, ({ userId }) => userId === rows[0]?.userId],
    [{ type: 'credit' }, ({ type }) => type === 'credit'],
    [{ type: 'no-action' }, ({ type }) => type === 'no-action'],
    [{ source: 'withdrawal' }, ({ source }) => source === 'withdrawal'],
    [{ createdFrom: EIGHTH }, ({ at }) => at >= EIGHTH],
    [{ createdFrom: new Date(EIGHTH.getTime() + 1) }, ({ at }) => at > EIGHTH],
    [{ createdUntil: EIGHTH }, ({ at }) => at <= EIGHTH],
    [{ createdUntil: new Date(EIGHTH.getTime() - 1) }, ({ at }) => at < EIGHTH],
  ];

  it('has all, the oldest first', async () => {
    expect(rows).toHaveLength(140);
    await expectRows((page) => transactionsOf({}, page), idsOf(rows));
  });

  it('has what each filter alone leaves, and counts it', async () => {
    for (const [filter, matches] of rules()) {
      const { items, totals } = await transactionsOf(filter);
      expect({ filter, ids: idsOf(items) }).toEqual({ filter, ids: idsOf(rows.filter(matches)) });
      expect({ filter, total: totals?.total }).toEqual({ filter, total: BigInt(items.length) });
    }
  });

  it('has what several filters leave; users named in two ways widen each other', async () => {
    const choose = chooser(3);
    const isOfUsers = ([filter]: Rule) => 'userIds' in filter || 'userReferences' in filter;
    for (let round = 0; round < 60; round += 1) {
      const chosen = [
        ...new Map([choose(rules()), choose(rules())].map((rule) => [Object.keys(rule[0])[0], rule])).values(),
      ];
      const [ofUsers, others] = [chosen.filter(isOfUsers), chosen.filter((rule) => !isOfUsers(rule))];
      const wanted = rows
        .filter((row) => ofUsers.length === 0 || ofUsers.some(([, matches]) => matches(row)))
        .filter((row) => others.every(([, matches]) => matches(row)));
      const filters = Object.assign({}, ...chosen.map(([filter]) => filter));
      const { items } = await transactionsOf(filters, numbered(2, 9));
      expect({ filters, ids: idsOf(items) }).toEqual({ filters, ids: idsOf(wanted.slice(9, 18)) });
    }
  });

  it('has none of another account, whoever moved it', async () => {
    const { items } = await transactionsOf({ userIds: [rows[0]?.userId ?? 0n] }, WHOLE, CROWDED);
    expect(items).toEqual([]);
  });
});

describe('the positions of a user', () => {
  const [ANN, BOB] = [1n, 2n];
  const positionsOf = (userId: bigint, page = WHOLE, accountId = 1n) =>
    listPositions(ledger.database, accountId, { userId, page });

  beforeAll(async () => {
    await ledger.query(`
      INSERT INTO wagers (account_id, id, reference) SELECT 1, 1000 + n, 'p' || n FROM generate_series(1, 4) n;
      INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered) VALUES
        (1, ${ANN}, 1001, 20, -10, 5), (1, ${ANN}, 1002, 5, 0, 0), (1, ${ANN}, 1003, 0, 0, 0), (1, ${ANN}, 1004, -7, 3, 0),
        (1, ${BOB}, 1001, -20, 10, 0)`);
  });

  it('are what its exposure is made of, by wager, without those that have come to nothing', async () => {
    const { items } = await positionsOf(ANN);
    expect(items).toMatchObject([
      { wagerReference: 'p1', win: 20n, loss: -10n, offered: 5n, exposure: 15n },
      { wagerReference: 'p2', win: 5n, loss: 0n, offered: 0n, exposure: 0n },
      { wagerReference: 'p4', win: -7n, loss: 3n, offered: 0n, exposure: 7n },
    ]);
  });

  it('have the exposure of all pages as their total', async () => {
    const { items, totals } = await positionsOf(ANN, numbered(2, 2));
    expect(items).toMatchObject([{ wagerReference: 'p4' }]);
    expect(totals).toMatchObject({ total: 3n, totalExposure: 22n });
  });

  it('are the same by place', async () => {
    const { backwards } = await pagesByPlace((page) => positionsOf(ANN, page), 1);
    expect(idsOf(backwards.flat())).toEqual([1_001n, 1_002n, 1_004n]);
  });

  it('are those of the user alone', async () => {
    expect((await positionsOf(BOB)).items).toMatchObject([{ exposure: 20n }]);
  });

  it('are none for a user without bets, and in another account', async () => {
    const nothing = { items: [], totals: { total: 0n, totalExposure: 0n } };
    expect(await positionsOf(3n)).toMatchObject(nothing);
    expect(await positionsOf(ANN, WHOLE, 2n)).toMatchObject(nothing);
  });

  it('have no totals when none are asked for', async () => {
    expect((await positionsOf(ANN, placed(undefined, 5))).totals).toBeUndefined();
  });
});
