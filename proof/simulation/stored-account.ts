import type { Operation } from '#core/operation.js';
import { batchTask, singleTask, type TaskResult } from '#ledger/task.js';
import type { UnitOfWork } from '#ledger/unit-of-work.js';
import { FIRST_WAGER_ID } from '#proof/second-ledger/facts.js';
import type { StartingAccount } from './history.js';
import type { Task } from './task.js';
import { userIdOf, userReferenceOf } from './task-of-step.js';

export interface LedgerDatabase {
  readonly work: Pick<UnitOfWork, 'runWaiting'>;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** The ids of the second ledger's bets, in the order in which they were made. */
export type SecondBetIds = readonly bigint[];

const UNKNOWN = 1_000_000_000n;

/** The account of a history in the database of a test. */
export class StoredAccount {
  constructor(
    private readonly database: LedgerDatabase,
    readonly accountId: bigint,
  ) {}

  /** The first balances are transactions, too. `COUNT_TOTALS` must follow. */
  async open({ allowNegativeBalance, decimals, users }: StartingAccount): Promise<void> {
    const { accountId } = this;
    const { query } = this.database;
    await query(`INSERT INTO accounts (id, name, email, preferences, decimals)
      VALUES (${accountId}, 'a', 'a${accountId}@example.com', '{"allow_negative_balance": ${allowNegativeBalance}}', ${decimals})`);
    await query(`INSERT INTO event_heads (account_id, decimals) VALUES (${accountId}, ${decimals})`);
    for (const [index, { start, preference }] of users.entries()) {
      const id = userIdOf(index);
      const preferences = preference === null ? 'NULL' : `'{"allow_negative_balance": ${preference}}'`;
      const [type, source] = start > 0 ? ['credit', 'funding'] : ['debit', 'withdrawal'];
      await query(`INSERT INTO users (account_id, id, reference, name, preferences)
        VALUES (${accountId}, ${id}, '${userReferenceOf(index)}', 'U', ${preferences})`);
      await query(`INSERT INTO balances (account_id, user_id, balance) VALUES (${accountId}, ${id}, ${start})`);
      if (start === 0) continue;
      await query(`INSERT INTO transactions (account_id, user_id, amount, description, transaction_type,
          transaction_source, balance_after)
        VALUES (${accountId}, ${id}, ${Math.abs(start)}, '', '${type}', '${source}', ${start})`);
    }
  }

  async idsIn(table: 'bets' | 'wagers'): Promise<bigint[]> {
    const rows = await this.database.query(`SELECT id FROM ${table} WHERE account_id = ${this.accountId} ORDER BY id`);
    return rows.map(({ id }) => BigInt(String(id)));
  }

  /** With its own ids: both ledgers give them in the same order, with other gaps. */
  async withStoredIds<Named extends Operation>(operation: Named, ids: SecondBetIds): Promise<Named> {
    const named: { betId?: bigint | null; wagerId?: bigint } =
      'betId' in operation || 'wagerId' in operation ? operation : {};
    const bets = named.betId == null ? [] : await this.idsIn('bets');
    const wagers = named.wagerId === undefined ? [] : await this.idsIn('wagers');
    return {
      ...operation,
      ...(named.betId != null && { betId: bets[ids.indexOf(named.betId)] ?? UNKNOWN }),
      ...(named.wagerId !== undefined && { wagerId: wagers[Number(named.wagerId - FIRST_WAGER_ID)] ?? UNKNOWN }),
    };
  }

  async run(task: Task, ids: SecondBetIds): Promise<TaskResult | undefined> {
    const { accountId } = this;
    const ledgerTask =
      task.kind === 'single'
        ? singleTask(accountId, await this.withStoredIds(task.operation, ids))
        : batchTask(
            accountId,
            await Promise.all(
              task.items.map(async (item) => ({ ...item, operation: await this.withStoredIds(item.operation, ids) })),
            ),
          );
    const [result] = await this.database.work.runWaiting([ledgerTask]);
    return result;
  }
}
