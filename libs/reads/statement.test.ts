import { beforeAll, describe, expect, it } from '@jest/globals';
import { referenceOfTransaction } from '#ledger/transaction-reference.js';
import { micros } from '#testing/core/builders.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { type CursorValue, encodeCursor, parseCursor } from './cursor.js';
import {
  countLines,
  type LineId,
  openStatement,
  readLines,
  type Statement,
  type StatementLine,
  startOf,
  streamLines,
} from './statement.js';
import { cursorValuesOf, resume } from './statement-cursor.js';
import { closingCells, lineCells, openingCells, statementColumns } from './statement-file.js';

// A statement is cut out of the transactions of a user, which are inserted at times of their own.

const ledger = useLedgerDatabase();
const [OWN, OTHER] = [1n, 2n];
const DAY = Date.parse('2026-01-10T00:00Z');
const MINUTE_MS = 60_000;
const at = (minute: number) => new Date(DAY + minute * MINUTE_MS);

const openOf = (reference: string, { from = at(0), to }: { from?: Date; to?: Date } = {}, accountId = OWN) =>
  openStatement(ledger.database.of(OWN), { accountId, user: { reference }, from, to });
const linesOf = (statement: Statement, after: LineId = startOf(statement), limit = 1_000) =>
  readLines(ledger.database.of(OWN), statement, after, limit);

interface Movement {
  readonly minute: number;
  readonly amount: number;
  readonly type?: string;
  readonly source?: string;
}

/** A user with these transactions, and the balance after each. */
async function insertUser(reference: string, movements: readonly Movement[]): Promise<void> {
  await ledger.query(`INSERT INTO users (account_id, reference, name) VALUES (${OWN}, '${reference}', 'User')`);
  let balance = 0;
  for (const [index, { minute, amount, type = 'credit', source = 'funding' }] of movements.entries()) {
    if (type !== 'no-action') balance += type === 'credit' ? amount : -amount;
    await ledger.query(`
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                balance_after, created_at)
      SELECT ${OWN}, id, ${amount}, 'step ${index}', '${type}', '${source}', ${balance},
             timestamptz '2026-01-10Z' + ${minute} * interval '1 minute'
        FROM users WHERE account_id = ${OWN} AND reference = '${reference}'`);
  }
}

describe('a statement', () => {
  beforeAll(() =>
    insertUser('eve', [
      { minute: 10, amount: 1_000 },
      { minute: 20, amount: 150, source: 'correction' },
      { minute: 30, amount: 200, type: 'debit', source: 'withdrawal' },
      { minute: 50, amount: 50, type: 'debit', source: 'correction' },
    ]),
  );

  it('has the balances before and after its period, and what moved in it', async () => {
    expect(await openOf('eve', { from: at(15), to: at(40) })).toMatchObject({
      userReference: 'eve',
      openingBalance: 1_000n,
      closingBalance: 950n,
      credits: 150n,
      debits: 200n,
    });
  });

  it('has a line for each transaction, with its sign and the balance after it', async () => {
    const lines = await linesOf(await openOf('eve'));
    expect(lines).toMatchObject([
      { description: 'step 0', type: 'credit', source: 'funding', signedAmount: 1_000n, balance: 1_000n },
      { description: 'step 1', type: 'credit', source: 'correction', signedAmount: 150n, balance: 1_150n },
      { description: 'step 2', type: 'debit', source: 'withdrawal', signedAmount: -200n, balance: 950n },
      { description: 'step 3', type: 'debit', amount: 50n, signedAmount: -50n, balance: 900n },
    ]);
    for (const { id, at, reference } of lines) expect(reference).toBe(referenceOfTransaction({ id, createdAt: at }));
  });

  it('begins with its first moment, and ends before its last one', async () => {
    const lines = await linesOf(await openOf('eve', { from: at(20), to: at(50) }));
    expect(lines.map(({ description }) => description)).toEqual(['step 1', 'step 2']);
  });

  it('without an end goes up to the last transaction, and says until when', async () => {
    const statement = await openOf('eve');
    expect(statement.closingBalance).toBe(900n);
    expect(statement.to).toEqual(statement.asOf);
  });

  it('names the wager and the bet that moved a user', async () => {
    await ledger.query(`
      INSERT INTO wagers (account_id, id, reference) VALUES (${OWN}, 77, 'match');
      INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place)
        VALUES (${OWN}, 88, 77, 1, 2000000, 5, 1);
      INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
        VALUES (${OWN}, 99, 88, 77, 'requesting', 'Offer made', 'undecided', 2000000, 5);
      INSERT INTO users (account_id, reference, name) VALUES (${OWN}, 'bettor', 'User');
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                bet_trail_id, balance_after)
        SELECT ${OWN}, id, 5, 'won', 'credit', 'bet', 99, 5 FROM users WHERE reference = 'bettor'`);
    expect(await linesOf(await openOf('bettor'))).toMatchObject([{ wagerReference: 'match', betId: 88n }]);
    expect(await linesOf(await openOf('eve'))).toMatchObject(Array(4).fill({ wagerReference: null, betId: null }));
  });

  it('may have sums that are larger than any balance', async () => {
    const much = 2 ** 52;
    await ledger.query(`INSERT INTO users (account_id, reference, name) VALUES (${OWN}, 'rich', 'User')`);
    await ledger.query(`
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                balance_after, created_at)
      SELECT ${OWN}, u.id, ${much}, '', CASE n % 2 WHEN 1 THEN 'credit' ELSE 'debit' END,
             CASE n % 2 WHEN 1 THEN 'funding' ELSE 'withdrawal' END,
             n % 2 * ${much}, '2026-01-10Z'
        FROM users u, generate_series(1, 4100) n WHERE u.reference = 'rich'`);
    const sum = BigInt(much) * 2_050n;
    expect(sum).toBeGreaterThan(2n ** 63n);
    expect(await openOf('rich')).toMatchObject({ credits: sum, debits: sum, closingBalance: 0n });
  });

  it('is empty for a user without transactions', async () => {
    await insertUser('idle', []);
    const statement = await openOf('idle', { to: at(100) });
    expect(statement).toMatchObject({ openingBalance: 0n, closingBalance: 0n, credits: 0n, debits: 0n });
    expect(await linesOf(statement)).toEqual([]);
  });

  it('is found by the id of its user as well', async () => {
    const user = { id: (await openOf('eve')).userId };
    const statement = await openStatement(ledger.database.of(OWN), {
      accountId: OWN,
      user,
      from: at(0),
      to: undefined,
    });
    expect(statement).toMatchObject({ userReference: 'eve', closingBalance: 900n });
  });

  it('of a user that is unknown, or of another account, is refused', async () => {
    await expect(openOf('nobody')).rejects.toThrow('User not found');
    await expect(openOf('eve', {}, OTHER)).rejects.toThrow('User not found');
  });
});

describe('statements of neighbouring periods', () => {
  /** The clock was set back twice. The bound is the first transaction that is not before the moment. */
  const minutes = [10, 20, 60, 30, 31, 61, 61, 90, 12, 91];
  let whole: readonly StatementLine[];

  beforeAll(async () => {
    await insertUser(
      'dan',
      minutes.map((minute) => ({ minute, amount: 5 })),
    );
    whole = await linesOf(await openOf('dan', { to: at(100) }));
  });

  it.each([10, 11, 20, 25, 30, 45, 60, 61, 75, 90, 91, 92])('fit together at minute %s', async (minute) => {
    const before = await openOf('dan', { to: at(minute) });
    const after = await openOf('dan', { from: at(minute), to: at(100) });
    expect(before.closingBalance).toBe(after.openingBalance);
    const lines = await linesOf(before);
    expect([...lines, ...(await linesOf(after))]).toEqual(whole);
    const index = minutes.findIndex((one) => one >= minute);
    expect(lines).toHaveLength(index === -1 ? minutes.length : index);
  });

  it('find a bound among many transactions', async () => {
    const [{ id } = {}] = await ledger.query(
      `INSERT INTO users (account_id, reference, name) VALUES (${OWN}, 'busy', 'User') RETURNING id`,
    );
    await ledger.query(`
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                balance_after, created_at)
      SELECT ${OWN}, ${id}, 1, '', 'credit', 'funding', n, timestamptz '2026-01-10Z' + n * interval '1 minute'
        FROM generate_series(1, 3000) n`);
    for (const minute of [1, 2, 777, 1_024, 2_999, 3_000, 3_001]) {
      const { openingBalance } = await openOf('busy', { from: at(minute), to: at(5_000) });
      expect({ minute, openingBalance }).toEqual({ minute, openingBalance: BigInt(minute - 1) });
    }
  });
});

describe('the pages of a statement', () => {
  it('are all of the moment at which it was opened', async () => {
    const opened = await openOf('busy');
    const first = await linesOf(opened, startOf(opened), 2_990);
    await ledger.query(`
      INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source, balance_after)
      SELECT ${OWN}, id, 1, 'late', 'credit', 'funding', 3001 FROM users WHERE reference = 'busy'`);
    const rest = await linesOf(opened, first.at(-1));
    expect(rest.map(({ description }) => description)).not.toContain('late');
    expect(first.length + rest.length).toBe(3_000);
    expect(await countLines(ledger.database.of(OWN), opened)).toBe(3_000n);
  });

  it('come in portions, each line once', async () => {
    const opened = await openOf('busy');
    const portions: number[] = [];
    const ids: bigint[] = [];
    for await (const lines of streamLines(ledger.database.of(OWN), opened)) {
      portions.push(lines.length);
      ids.push(...lines.map(({ id }) => id));
    }
    expect(portions).toEqual([1_000, 1_000, 1_000, 1]);
    expect(ids).toEqual((await linesOf(opened, startOf(opened), 4_000)).map(({ id }) => id));
  });

  it('are none of a statement without lines', async () => {
    const portions: unknown[] = [];
    for await (const lines of streamLines(ledger.database.of(OWN), await openOf('idle'))) portions.push(lines);
    expect(portions).toEqual([]);
  });
});

describe('a cursor of a statement', () => {
  const USER = { accountId: OWN, userReference: 'rich' };
  const valuesOf = async (): Promise<readonly CursorValue[]> => cursorValuesOf(await openOf('rich'), { id: 7n });

  it('has the whole opened statement, and its place', async () => {
    const opened = await openOf('rich');
    const text = encodeCursor({}, cursorValuesOf(opened, { id: 7n }));
    expect(resume(USER, parseCursor(text)?.values ?? [])).toEqual({ opened, after: { id: 7n } });
  });

  it.each([
    ['place', 0, 'x'],
    ['user', 1, null],
    ['opening balance', 4, new Date(0)],
    ['beginning', 6, 5n],
    ['moment', 8, 'now'],
    ['sum', 9, 5n],
    ['sum below zero', 10, '-5'],
    ['sum without digits', 10, ''],
  ])('is malformed with another %s', async (_what, index, value) => {
    const values = (await valuesOf()).with(index, value);
    expect(() => resume(USER, values)).toThrow('must be a cursor that a list has answered');
  });

  it('is malformed when it ends early', async () => {
    const values = (await valuesOf()).slice(0, -1);
    expect(() => resume(USER, values)).toThrow('must be a cursor that a list has answered');
  });
});

describe('the rows of a statement as a file', () => {
  const cellsOf = (row: readonly unknown[]) =>
    Object.fromEntries(
      statementColumns.map(({ name }, index) => [name, row[index]]).filter(([, cell]) => cell !== null),
    );

  it('begin with the opening balance and end with the closing balance', async () => {
    const statement = await openOf('eve', { from: at(15), to: at(40) });
    const opening = { at: at(15), type: 'opening', balance: 1_000n, description: 'Opening balance' };
    expect(cellsOf(openingCells(statement))).toEqual(opening);
    const closing = { at: at(40), type: 'closing', balance: 950n, description: 'Closing balance' };
    expect(cellsOf(closingCells(statement))).toEqual(closing);
  });

  it('have all values of a line', () => {
    const line: StatementLine = {
      id: 3n,
      at: at(1),
      reference: 'TX',
      type: 'debit',
      source: 'bet',
      amount: micros(2),
      signedAmount: micros(2),
      balance: micros(1),
      wagerReference: 'match',
      betId: 4n,
      description: 'lost',
      ownReference: 'mine',
      meta: null,
    };
    const { signedAmount: signed_amount, wagerReference: wager_reference, betId: bet_id, ...rest } = line;
    const { ownReference: own_reference, meta: _, ...same } = rest;
    expect(cellsOf(lineCells(line))).toEqual({ ...same, signed_amount, wager_reference, bet_id, own_reference });
  });
});
