import type { Micros } from '#core/money.js';
import type { Transaction } from '#core/records.js';
import type { LoggedEvent } from '#events/log-events.js';
import { LedgerRefusal } from '#ledger/ledger.js';
import { singleTask, type Task, type TaskResult } from '#ledger/task.js';
import { referenceOfTransaction } from '#ledger/transaction-reference.js';
import { TakenBack, type UnitOfWork } from '#ledger/unit-of-work.js';
import type { Tx } from '#platform/database/database.js';
import { type KnownRefusal, Refusal } from '#platform/errors/refusal.js';
import {
  type FoundFunds,
  type FoundUser,
  findFunds,
  findUsers,
  insertNewUsers,
  type NamedUser,
} from './user-import-rows.js';
import type { CreatedUser } from './user-repository.js';
import type { UserScope } from './users.js';

// A chunk of an import is one transaction, and a line of it has its whole effect or none. Locks are taken in one order: references
// of users, balances, own references of money, the head of the event log.

interface ImportedFunds {
  readonly amount: Micros;
  readonly description: string;
  readonly ownReference: string;
  readonly meta?: unknown;
}

export interface ImportLine {
  readonly user: NamedUser;
  readonly funds: ImportedFunds | undefined;
}

export interface GivenFunds {
  readonly isNew: boolean;
  readonly id: bigint;
  readonly reference: string;
  readonly ownReference: string;
  readonly amount: Micros;
  readonly balanceAfter: Micros;
  readonly createdAt: Date;
}

export interface ImportedUser {
  readonly isNew: boolean;
  readonly user: CreatedUser;
  readonly funds: GivenFunds | undefined;
}

/** What a line would do: of a trial, which leaves nothing. */
export class TriedLine {
  constructor(readonly isNew: boolean) {}
}

/** A line that is refused moves nothing. */
export type ImportResult = ImportedUser | TriedLine | KnownRefusal;

interface ImportScope extends UserScope {
  /** Everything is taken back after it was judged. */
  readonly isTrial?: boolean;
}

export type ImportUsers = (scope: ImportScope, lines: readonly ImportLine[]) => Promise<ImportResult[]>;

type Refused = ReadonlyMap<ImportLine, KnownRefusal>;

/** Some lines would create users and are refused: nothing is done, so that the chunk can run without them. */
class RefusedLines extends TakenBack {
  override readonly name = 'RefusedLines';

  constructor(readonly refused: Refused) {
    super('lines of an import are refused');
  }
}

/** A trial is over. */
class TriedLines extends TakenBack {
  override readonly name = 'TriedLines';

  constructor(readonly results: ReadonlyMap<ImportLine, ImportResult>) {
    super('a trial of an import is taken back');
  }
}

/** Creates users and gives them money; no two lines have one reference. A second call with the same lines changes nothing. */
export const createImportUsers =
  (work: Pick<UnitOfWork, 'runAfter'>): ImportUsers =>
  async (scope, lines) => {
    const refused = new Map<ImportLine, KnownRefusal>();
    let imported: ReadonlyMap<ImportLine, ImportResult> = new Map();
    for (let left = lines; left.length > 0; left = left.filter((line) => !refused.has(line))) {
      try {
        imported = await importChunk(work, scope, left);
        break;
      } catch (error) {
        // Each run has fewer lines than the one before.
        if (!(error instanceof RefusedLines)) throw error;
        for (const [line, refusal] of error.refused) refused.set(line, refusal);
      }
    }
    return lines.map((line) => (imported.get(line) ?? refused.get(line)) as ImportResult);
  };

async function importChunk(
  work: Pick<UnitOfWork, 'runAfter'>,
  scope: ImportScope,
  lines: readonly ImportLine[],
): Promise<ReadonlyMap<ImportLine, ImportResult>> {
  let chunk: Chunk | undefined;
  const prepare = async (tx: Tx) => {
    // A run that is tried again begins anew.
    const opened = await Chunk.open(tx, scope, lines);
    chunk = opened;
    return {
      tasks: opened.tasks,
      created: opened.created,
      judge: (found: readonly TaskResult[]) => opened.judge(tx, found),
    };
  };
  const results = await work.runAfter(scope.accountId, prepare).catch((error: unknown) => {
    if (error instanceof TriedLines) return error;
    throw error;
  });
  return results instanceof TriedLines ? results.results : (chunk as Chunk | undefined as Chunk).resultsOf(results);
}

interface Funding {
  readonly line: ImportLine;
  readonly funds: ImportedFunds;
  readonly userId: bigint;
  readonly task: Task<Transaction>;
}

/** The lines of one transaction. */
class Chunk {
  readonly #scope: ImportScope;
  readonly #refused = new Map<ImportLine, KnownRefusal>();
  readonly #users = new Map<ImportLine, { readonly isNew: boolean; readonly user: FoundUser }>();
  readonly #fundings: Funding[] = [];
  /** What earlier imports have given, by own reference. */
  #given: ReadonlyMap<string, FoundFunds> = new Map();

  private constructor(scope: ImportScope) {
    this.#scope = scope;
  }

  static async open(tx: Tx, scope: ImportScope, lines: readonly ImportLine[]): Promise<Chunk> {
    const chunk = new Chunk(scope);
    const users = lines.map(({ user }) => user);
    const created = byReference(await insertNewUsers(tx, scope.accountId, users));
    const others = users.flatMap(({ reference }) => (created.has(reference) ? [] : reference));
    const found = byReference(others.length === 0 ? [] : await findUsers(tx, scope.accountId, others));
    for (const line of lines) {
      const { reference } = line.user;
      const isNew = created.has(reference);
      chunk.#add(line, isNew, (created.get(reference) ?? found.get(reference)) as FoundUser);
    }
    return chunk;
  }

  #add(line: ImportLine, isNew: boolean, user: FoundUser): void {
    if (user.name !== line.user.name) {
      this.#refused.set(line, new Refusal('user-reference-taken'));
      return;
    }
    this.#users.set(line, { isNew, user });
    const { funds } = line;
    if (funds === undefined) return;
    const { accountId, cause } = this.#scope;
    const task = singleTask(accountId, { type: 'fund_user', user: { id: user.id }, ...funds });
    this.#fundings.push({ line, funds, userId: user.id, task: { ...task, cause } });
  }

  get tasks(): readonly Task[] {
    return this.#fundings.map(({ task }) => task);
  }

  get created() {
    const events = [...this.#users].flatMap(([{ user: given }, { isNew, user }]): LoggedEvent[] => {
      const { reference, name, preferences, meta } = given;
      return isNew ? [{ kind: 'user.created', ref: user.id, extra: { reference, name, preferences, meta } }] : [];
    });
    return { cause: this.#scope.cause, events };
  }

  /** Money that has been given already is no refusal. */
  async judge(tx: Tx, results: readonly TaskResult[]): Promise<void> {
    const refused = this.#fundings.flatMap((funding, index) => {
      const result = results[index];
      return result?.kind === 'refused' ? [{ ...funding, rejection: result.rejection }] : [];
    });
    const taken = refused.filter(({ rejection }) => rejection.code === 'own-reference-taken');
    const names = taken.map(({ funds }) => funds.ownReference);
    const found = names.length === 0 ? [] : await findFunds(tx, this.#scope.accountId, names);
    const given = new Map(found.map((each) => [each.ownReference, each]));
    for (const { line, funds, userId, rejection } of refused) {
      if (!isSame(given.get(funds.ownReference), { funds, userId }))
        this.#refused.set(line, new LedgerRefusal(rejection));
    }
    this.#given = given;
    if (this.#scope.isTrial) throw new TriedLines(this.#tried());
    const leavesUsers = refused.some(({ line }) => this.#refused.has(line) && this.#users.get(line)?.isNew);
    if (leavesUsers) throw new RefusedLines(this.#refused);
  }

  #tried(): ReadonlyMap<ImportLine, ImportResult> {
    const tried = new Map<ImportLine, ImportResult>(this.#refused);
    for (const [line, { isNew }] of this.#users) {
      const givesMoney = line.funds !== undefined && !this.#given.has(line.funds.ownReference);
      if (!tried.has(line)) tried.set(line, new TriedLine(isNew || givesMoney));
    }
    return tried;
  }

  resultsOf(results: readonly TaskResult[]): ReadonlyMap<ImportLine, ImportResult> {
    const funds = new Map(
      this.#fundings.map((funding, index) => [funding.line, this.#fundsOf(funding, results[index])]),
    );
    const imported = new Map<ImportLine, ImportResult>(this.#refused);
    for (const [line, user] of this.#users) {
      if (!imported.has(line)) imported.set(line, { ...user, funds: funds.get(line) });
    }
    return imported;
  }

  #fundsOf({ funds }: Funding, result: TaskResult | undefined): GivenFunds | undefined {
    const { ownReference } = funds;
    const earlier = this.#given.get(ownReference);
    if (earlier !== undefined) return { isNew: false, ...earlier, reference: referenceOfTransaction(earlier) };
    if (result?.kind !== 'done') return undefined;
    const transaction = result.answer as Transaction;
    const stored = result.stored.get(transaction);
    if (stored === undefined) throw new Error('money was given without a transaction');
    const { amount, balanceAfter } = transaction;
    return { isNew: true, ...stored, reference: referenceOfTransaction(stored), ownReference, amount, balanceAfter };
  }
}

const byReference = (users: readonly FoundUser[]) => new Map(users.map((user) => [user.reference, user]));

const isSame = (found: FoundFunds | undefined, { funds, userId }: Pick<Funding, 'funds' | 'userId'>): boolean =>
  found !== undefined && found.userId === userId && found.amount === funds.amount && found.source === 'funding';
