import type { Collection, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type Credential, lockCaller } from './access/caller-guard.js';
import type { Account } from './account.js';
import { updateAccount } from './account-repository.js';
import { changesBetween, readAccount, recordChanges } from './accounts.js';
import { type CausedContext, changeAccess } from './accounts-context.js';

/** How an account counts its money. */
export type MoneySettings = Pick<Account, 'currency' | 'decimals'>;

export interface MoneySettingsChange extends Credential {
  /** Undefined fields do not change; null takes one back. */
  readonly changed: { readonly [Field in keyof MoneySettings]?: MoneySettings[Field] | undefined };
}

/** Refused after the account's first offer or transaction. Undefined when the caller's credential has ended. */
export async function changeMoneySettings(
  context: CausedContext,
  { changed, ...credential }: MoneySettingsChange,
): Promise<MoneySettings | undefined> {
  const { accountId } = credential;
  const known = await context.transact((tx) => readAccount(tx, accountId));
  const isSame = (Object.keys(changed) as (keyof MoneySettings)[]).every(
    (field) => changed[field] === undefined || changed[field] === known[field],
  );
  if (isSame) return known;
  return changeAccess(context, accountId, async (tx) => {
    const { isAlive } = await lockCaller(tx, credential, undefined);
    if (!isAlive) return undefined;
    await assertNoMoney(tx, accountId);
    const before = await readAccount(tx, accountId);
    const after = (await updateAccount(tx, accountId, changed)) ?? before;
    const changes = changesBetween(before, after);
    await recordChanges(tx, context.cause, changes);
    if (changes.length > 0) tx.collect(setSettings, after);
    return after;
  });
}

/** After everything else that the transaction writes: the end of a log is the last lock. */
const setSettings: Collection<Pick<Account, 'id' | 'decimals'>> = {
  async write(tx, accounts) {
    for (const account of accounts) await setBeforeMoney(tx, account);
  },
  committed: () => undefined,
};

/**
 * Locks the end of the account's log until the commit. A group of the ledger that has written there is seen here. One that comes
 * there later finds the decimals, and runs again when it has counted with others (`append_events`). So none is missed, although
 * no group locks the account.
 */
async function setBeforeMoney(tx: Tx, { id, decimals }: Pick<Account, 'id' | 'decimals'>): Promise<void> {
  await tx.$executeRaw`INSERT INTO event_heads (account_id) VALUES (${id}) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`UPDATE event_heads SET decimals = ${decimals}::smallint WHERE account_id = ${id}`;
  await assertNoMoney(tx, id);
}

/** Also before the lock: who is refused there keeps no group of the ledger waiting. */
async function assertNoMoney(tx: Tx, accountId: bigint): Promise<void> {
  const begun = await tx.$queryRaw<object[]>`
    SELECT 1 FROM ledger_totals WHERE account_id = ${accountId} AND (bets > 0 OR transactions > 0) LIMIT 1`;
  if (begun.length > 0) throw new Refusal('money-begun');
}
