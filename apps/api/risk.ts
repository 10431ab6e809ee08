import { type Tx, withTx } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Logger } from '#platform/logging/logger.js';
import { readUserRisk, type UserRisk } from '#reads/user-risk.js';
import { type KnownCases, readWagerRisk, type WagerRisk } from '#reads/wager-risk.js';
import { type SharedAnswer, shareByAccount } from './shared-answers.js';

/** A board of many wagers has a megabyte. The questions of an account take a thirtieth of a connection at most. */
const SHARING = { forMs: 3_000, withinMs: 5_000, knownForMs: 120_000, restTimes: 30, accounts: 100, atOnce: 1 };
const RETRY_AFTER_SECONDS = 3;

export interface Risk {
  /** All callers share an answer, so each gets it whole and picks what it was asked for. */
  wagersOf(accountId: bigint): Promise<WagerRisk>;
  usersOf(accountId: bigint): Promise<UserRisk>;
}

export interface RiskOptions {
  readonly reads: Pick<Reads, 'run'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createRisk({ reads, logger }: RiskOptions): Risk {
  async function inSnapshot<Answer>(accountId: bigint, read: (snapshot: Tx) => Promise<Answer>): Promise<Answer> {
    try {
      return await reads.run((database) => withTx(database.of(accountId), read, 'RepeatableRead'));
    } catch (error) {
      logger.warn({ accountId: String(accountId), reason: String(error) }, 'the risk of an account is not known');
      throw error;
    }
  }
  const wagers = shareByAccount((accountId) => {
    let known: KnownCases = new Map();
    return async () => {
      const risk = await inSnapshot(accountId, (snapshot) => readWagerRisk(snapshot, accountId, known));
      known = risk.known;
      return risk;
    };
  }, SHARING);
  const users = shareByAccount(
    (accountId) => () => inSnapshot(accountId, (snapshot) => readUserRisk(snapshot, accountId)),
    SHARING,
  );
  return {
    wagersOf: (accountId) => answerOf(wagers(accountId)),
    usersOf: (accountId) => answerOf(users(accountId)),
  };
}

async function answerOf<Answer>(shared: SharedAnswer<Answer>): Promise<Answer> {
  const answer = await shared.soon();
  if (answer === undefined) throw new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return answer;
}
