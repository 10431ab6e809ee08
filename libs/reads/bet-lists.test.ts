import { beforeAll, describe, expect, it } from '@jest/globals';
import { ODDS_ONE } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import { Prisma } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { numbered, pagesByNumber, pagesByPlace, placed } from '#testing/list-pages.js';
import { chooser, insertBets } from '#testing/list-rows.js';
import { micros, oddsMicros } from '#tools/shared/amounts.js';
import {
  type HistoryRequest,
  historySortFields,
  type OpenBetsRequest,
  openBetSortFields,
  type ShownBet,
} from './bet.js';
import { listHistory } from './bet-history.js';
import type { TotalRow } from './list-reader.js';
import { listOpenBets } from './open-bet-list.js';
import type { List } from './page.js';

// Both lists of bets are compared with what the same rules leave of all rows.

const ledger = useLedgerDatabase();
const [ONE, OTHER, EMPTY] = [3n, 4n, 5n];
const LIMIT = 23;

interface BetRow {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly isOpen: boolean;
  readonly wager: string;
  readonly requesterId: bigint;
  readonly requester: string;
  readonly acceptorId: bigint | null;
  readonly acceptor: string | null;
  readonly requesting_odds: bigint;
  readonly requesting_amount: bigint;
  readonly effective_odds: bigint | null;
  readonly effective_amount: bigint | null;
  readonly outcome: Outcome;
  readonly created_at: Date;
}

let bets: readonly BetRow[];

beforeAll(async () => {
  const { database } = ledger.environment;
  await ledger.query(`INSERT INTO accounts (name, email)
    VALUES ('c', 'c@example.com'), ('d', 'd@example.com'), ('e', 'e@example.com')`);
  await insertBets(database, Number(ONE), 260);
  await insertBets(database, Number(OTHER), 90);
  bets = await queryRows<BetRow>(
    ledger.database.of(ONE),
    Prisma.sql`
    SELECT b.id, b.account_id AS "accountId", b.offer_status = 'requesting' AND b.is_active AS "isOpen",
           w.reference AS wager, b.requesting_user_id AS "requesterId", r.reference AS requester,
           b.accepting_user_id AS "acceptorId", a.reference AS acceptor, b.requesting_odds, b.requesting_amount,
           b.effective_odds, b.effective_amount, coalesce(b.override_outcome, w.outcome) AS outcome, b.created_at
      FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      JOIN users r ON r.account_id = b.account_id AND r.id = b.requesting_user_id
      LEFT JOIN users a ON a.account_id = b.account_id AND a.id = b.accepting_user_id ORDER BY b.id`,
  );
});

const unfiltered = {
  accountIds: [ONE],
  descending: false,
  page: numbered(1, LIMIT),
};
const allOpen: OpenBetsRequest = { ...unfiltered, sortBy: 'created_at' };
const allBets: HistoryRequest = { ...unfiltered, outcomes: undefined, trails: 'none', sortBy: 'created_at' };

const readOpen = (given: Partial<OpenBetsRequest>) => listOpenBets(ledger.database, { ...allOpen, ...given });
const readHistory = async (given: Partial<HistoryRequest>): Promise<List<ShownBet, TotalRow>> => {
  const list = await listHistory(ledger.database, { ...allBets, ...given });
  return { ...list, items: list.items.map(({ bet }) => bet) };
};

type Filters = Partial<Omit<OpenBetsRequest & HistoryRequest, 'sortBy'>>;
type SortField = OpenBetsRequest['sortBy'] | HistoryRequest['sortBy'];
/** A filter, and the bets that it leaves. */
type Rule = readonly [filter: Filters, matches: (bet: BetRow) => boolean];

const at = (text: string) => new Date(text);
/** Some bets were made at this very moment. */
const EIGHTH = at('2026-03-08T06:00:00Z');
const MOMENT_BEFORE = new Date(EIGHTH.getTime() - 1);

const sharedRules: readonly Rule[] = [
  [{ createdFrom: EIGHTH }, (bet) => bet.created_at >= EIGHTH],
  [{ createdFrom: new Date(EIGHTH.getTime() + 1) }, (bet) => bet.created_at > EIGHTH],
  [{ createdUntil: EIGHTH }, (bet) => bet.created_at <= EIGHTH],
  [{ createdUntil: MOMENT_BEFORE }, (bet) => bet.created_at < EIGHTH],
  [{ wagerReferences: ['w1'] }, ({ wager }) => wager === 'w1'],
  [{ wagerReferences: ['w0', 'w4', 'w4', 'nobody'] }, ({ wager }) => ['w0', 'w4'].includes(wager)],
  [{ wagerReferences: ['nobody'] }, () => false],
];
const userOf = (index: number): bigint => bets[index]?.requesterId ?? 0n;

const openRules = (): readonly Rule[] => [
  ...sharedRules,
  [{ userReferences: ['u1', 'u2'] }, ({ requester }) => ['u1', 'u2'].includes(requester)],
  [{ userIds: [userOf(3), 999_999n] }, ({ requesterId }) => requesterId === userOf(3)],
  [
    { userIds: [userOf(3)], userReferences: ['u1'] },
    ({ requesterId, requester }) => requesterId === userOf(3) || requester === 'u1',
  ],
  [{ userIds: [], userReferences: ['nobody'] }, () => false],
  [{ minimumOdds: ODDS_ONE }, () => true],
  [{ minimumOdds: oddsMicros(1.25) }, (bet) => bet.requesting_odds >= 1_250_000n],
  [{ maximumOdds: oddsMicros(2.5) }, (bet) => bet.requesting_odds <= 2_500_000n],
  [{ minimumAmount: micros(2.500001) }, (bet) => bet.requesting_amount >= 2_500_001n],
  [{ minimumAmount: micros(2.500002) }, (bet) => bet.requesting_amount >= 2_500_002n],
  [{ maximumAmount: micros(6.5) }, (bet) => bet.requesting_amount <= 6_500_000n],
];

const historyRules = (): readonly Rule[] => [
  ...sharedRules,
  [{ userReferences: ['u3'] }, ({ requester, acceptor }) => [requester, acceptor].includes('u3')],
  [{ userIds: [999_999n, userOf(1)] }, ({ requesterId, acceptorId }) => [requesterId, acceptorId].includes(userOf(1))],
  [
    { userIds: [userOf(1)], userReferences: ['u3'] },
    ({ requesterId, acceptorId, requester, acceptor }) =>
      [requesterId, acceptorId].includes(userOf(1)) || [requester, acceptor].includes('u3'),
  ],
  [{ outcomes: ['win'] }, ({ outcome }) => outcome === 'win'],
  [{ outcomes: ['undecided', 'half-loss'] }, ({ outcome }) => ['undecided', 'half-loss'].includes(outcome)],
  [{ outcomes: ['loss'] }, () => false],
];

const inOrder = (by: SortField, descending: boolean) => (left: BetRow, right: BetRow) => {
  const [one, other] = [left[by], right[by]];
  const sign = descending ? -1 : 1;
  if (one === null || other === null) {
    return one === other ? sign * Number(left.id - right.id) : one === null ? 1 : -1;
  }
  return sign * (Number(one) - Number(other) || Number(left.id - right.id));
};

const lists = [
  {
    name: 'open bets',
    read: readOpen as (given: Filters & { sortBy?: SortField }) => Promise<List<ShownBet, TotalRow>>,
    sorts: openBetSortFields as readonly SortField[],
    rules: openRules,
    belongs: ({ isOpen }: BetRow) => isOpen,
  },
  {
    name: 'history',
    read: readHistory as (given: Filters & { sortBy?: SortField }) => Promise<List<ShownBet, TotalRow>>,
    sorts: historySortFields as readonly SortField[],
    rules: historyRules,
    belongs: () => true,
  },
];

const idsOf = (rows: readonly { readonly id: bigint }[]) => rows.map(({ id }) => id);
const ofAccounts = (accountIds: readonly bigint[]) => bets.filter((bet) => accountIds.includes(bet.accountId));

describe.each(lists)('the list of $name', ({ read, sorts, rules, belongs }) => {
  const expectedOf = (accountIds: readonly bigint[], by: SortField = 'created_at', descending = false) =>
    ofAccounts(accountIds).filter(belongs).sort(inOrder(by, descending));
  const orders = sorts.flatMap((sortBy) => [false, true].map((descending) => ({ sortBy, descending })));

  it.each(orders)(
    'has pages by number by $sortBy, descending $descending: ties by id, without a value last',
    async (order) => {
      const pages = await pagesByNumber((page) => read({ ...order, page }), LIMIT);
      expect(idsOf(pages.flat())).toEqual(idsOf(expectedOf([ONE], order.sortBy, order.descending)));
      expect(pages.slice(0, -1).every(({ length }) => length === LIMIT)).toBe(true);
    },
  );

  it.each(orders)(
    'has the same pages by place by $sortBy, descending $descending, forwards and backwards',
    async (order) => {
      const wanted = idsOf(expectedOf([ONE], order.sortBy, order.descending));
      const { forwards, backwards } = await pagesByPlace((page) => read({ ...order, page }), LIMIT);
      expect(idsOf(forwards.flat())).toEqual(wanted);
      expect(idsOf(backwards.flat())).toEqual(wanted);
    },
  );

  it('has what each filter alone leaves, and counts it', async () => {
    for (const [filter, matches] of rules()) {
      const wanted = expectedOf([ONE]).filter(matches);
      const { items, totals } = await read({ ...filter, page: numbered(1, 300) });
      expect({ filter, ids: idsOf(items) }).toEqual({ filter, ids: idsOf(wanted) });
      expect({ filter, total: totals?.total }).toEqual({ filter, total: BigInt(wanted.length) });
    }
  });

  it('has what several filters leave, in any order, on any page', async () => {
    const choose = chooser(7);
    for (let round = 0; round < 120; round += 1) {
      const chosen = [choose(rules()), choose(rules()), choose(rules())];
      const names = chosen.flatMap(([filter]) => Object.keys(filter).map((name) => name.replace('References', 'Ids')));
      if (new Set(names).size < names.length) continue;
      const [sortBy, descending, number] = [choose(sorts), choose([true, false]), choose([1, 2, 3])];
      const accountId = choose([ONE, OTHER]);
      const wanted = expectedOf([accountId], sortBy, descending).filter((bet) =>
        chosen.every(([, matches]) => matches(bet)),
      );
      const filters = Object.assign({}, ...chosen.map(([filter]) => filter));
      const page = numbered(number, 7);
      const { items, totals } = await read({ ...filters, accountIds: [accountId], sortBy, descending, page });
      expect({ filters, ids: idsOf(items) }).toEqual({
        filters,
        ids: idsOf(wanted.slice(page.offset, page.offset + 7)),
      });
      expect({ filters, total: totals?.total }).toEqual({ filters, total: BigInt(wanted.length) });
    }
  });

  it('has the bets of all accounts that it is asked for, in one order', async () => {
    for (const { sortBy, descending } of orders) {
      const accountIds = [ONE, OTHER, EMPTY, 999_999n];
      const both = { accountIds, sortBy, descending };
      const wanted = idsOf(expectedOf([ONE, OTHER], sortBy, descending));
      expect(idsOf((await pagesByNumber((page) => read({ ...both, page }), 50)).flat())).toEqual(wanted);
      expect(idsOf((await pagesByPlace((page) => read({ ...both, page }), 50)).backwards.flat())).toEqual(wanted);
    }
  });

  it('has no bet of another account, whoever made it', async () => {
    const [foreigner] = ofAccounts([ONE]).filter(belongs);
    const { items, totals } = await read({ accountIds: [OTHER], userIds: [foreigner?.requesterId ?? 0n] });
    expect(items).toEqual([]);
    expect(totals?.total).toBe(0n);
  });

  it('is empty for an account without bets, for no account, and behind its end', async () => {
    expect(await read({ accountIds: [EMPTY] })).toMatchObject({ items: [], totals: { total: 0n } });
    expect(await read({ accountIds: [] })).toMatchObject({ items: [], totals: { total: 0n } });
    const behind = await read({ page: numbered(1_000_000_000, 100) });
    expect(behind).toMatchObject({ items: [], totals: { total: BigInt(expectedOf([ONE]).length) } });
  });

  it('has totals only when they are asked for', async () => {
    expect((await read({ page: placed(undefined, 5) })).totals).toBeUndefined();
    const total = BigInt(expectedOf([ONE]).length);
    expect((await read({ page: { ...placed(undefined, 5), withTotals: true } })).totals).toMatchObject({ total });
  });
});

describe('the list of open bets', () => {
  it('sums the stakes that each filter leaves', async () => {
    for (const [filter, matches] of [[{}, () => true] as Rule, ...openRules()]) {
      const left = ofAccounts([ONE]).filter((bet) => bet.isOpen && matches(bet));
      const sum = left.reduce((total, bet) => total + bet.requesting_amount, 0n);
      const { totals } = await readOpen(filter);
      expect({ filter, sum: totals?.totalRequestingAmount }).toEqual({ filter, sum });
    }
  });

  it('sums the stakes of several accounts', async () => {
    const sum = ofAccounts([ONE, OTHER]).reduce((total, bet) => total + (bet.isOpen ? bet.requesting_amount : 0n), 0n);
    const { totals } = await readOpen({ accountIds: [ONE, OTHER, EMPTY] });
    expect(totals?.totalRequestingAmount).toBe(sum);
  });

  it('leads back from a page whose rows have gone', async () => {
    const inWager = (page: OpenBetsRequest['page']) => readOpen({ wagerReferences: ['w3'], page });
    const first = await inWager(placed(undefined, 7));
    const gone = idsOf((await inWager(placed(first.next, 1_000))).items);
    await ledger.query(`UPDATE bets SET is_active = false WHERE id IN (${gone})`);
    try {
      const empty = await inWager(placed(first.next, 7));
      expect(empty.items).toEqual([]);
      expect(empty.next).toBeUndefined();
      const back = await inWager(placed(empty.previous, 7));
      expect(idsOf(back.items)).toEqual(idsOf(first.items));
    } finally {
      await ledger.query(`UPDATE bets SET is_active = true WHERE id IN (${gone})`);
    }
  });

  it('refuses a cursor whose key is of another type', async () => {
    const cursor = { side: 'after', key: 'x', id: 1n } as const;
    await expect(readOpen({ page: placed(cursor, 7) })).rejects.toThrow('a cursor that a list has answered');
  });
});
