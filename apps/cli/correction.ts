import { type BalanceCorrectionRequest, correctBalance } from '#audit/correct-balance.js';
import { type Micros, numberFromMicros } from '#core/money.js';
import { type Database, withTx } from '#platform/database/database.js';
import { StartError } from '#platform/errors/start-error.js';

export const CORRECTION_USAGE =
  'npm run audit -- --correct --account ACCOUNT_ID --user USER_ID --keep transactions|balance --reason TEXT';

const CAUSE = { actor: 'command:audit', requestId: null } as const;
const ID = /^\d{1,18}$/;
/** One line, as the description of any transaction. */
const REASON = /^[^\p{Cc}\u2028\u2029]{1,1000}$/u;

interface CorrectionValues {
  readonly from?: string;
  readonly correct?: boolean;
  readonly account?: string;
  readonly user?: string;
  readonly keep?: string;
  readonly reason?: string;
}

/** Undefined: none is asked for. */
export function correctionAsked(values: CorrectionValues, usage: string): BalanceCorrectionRequest | undefined {
  const { from, correct, account = '', user = '', keep, reason = '' } = values;
  if (correct !== true) return undefined;
  const isComplete = from === undefined && ID.test(account) && ID.test(user) && REASON.test(reason.trim());
  if (!isComplete || (keep !== 'transactions' && keep !== 'balance')) throw new StartError(usage);
  return { accountId: BigInt(account), userId: BigInt(user), keep, reason: reason.trim(), cause: CAUSE };
}

const shown = (figure: bigint): string => String(numberFromMicros(figure as Micros));

export async function runCorrection(database: Database, request: BalanceCorrectionRequest): Promise<string> {
  const { accountId, userId } = request;
  const tables = database.of(accountId);
  const corrected = await withTx(tables, (tx) => correctBalance(tx, request));
  if (corrected === undefined) {
    return `The figures of user ${userId} of account ${accountId} agree: its dispute has ended. Nothing was to correct.`;
  }
  const { stored, summed, balanceAfter, transactionId, differences } = corrected;
  const others = differences.filter(({ what }) => what !== 'balance');
  return [
    `User ${userId} of account ${accountId}: the balance was ${shown(stored)}, the transactions summed to ${shown(summed)}.`,
    ...others.map(({ what, wagerId, stored: was, recomputed }) => {
      const ofWager = wagerId === null ? '' : ` in wager ${wagerId}`;
      return `The ${what}${ofWager} was ${shown(was)}, and is ${shown(recomputed)} now.`;
    }),
    `Transaction ${transactionId} corrects it: the balance is ${shown(balanceAfter)} now.`,
  ].join('\n');
}
