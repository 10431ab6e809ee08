import type { History } from '../../history.js';
import { type BetTerms, readBetTerms } from '../bet-terms.js';
import type { UserNames } from '../effects.js';
import type { CheckInput } from '../finding.js';

/** Facts about users, bets and wagers, with which requests and answers are compared. */
export interface KnownFacts {
  readonly names: UserNames;
  readonly bets: ReadonlyMap<number, BetTerms>;
  /** When the first offer on a wager was answered, by account and reference. */
  readonly wagersSince: ReadonlyMap<string, number>;
}

export const unless = (isRight: boolean, mismatch: string): string[] => (isRight ? [] : [mismatch]);

export async function readKnownFacts({ history, effects, database }: CheckInput): Promise<KnownFacts> {
  const bets = await readBetTerms(database);
  return {
    names: effects.names,
    bets: new Map(bets.map((bet) => [bet.id, bet])),
    wagersSince: wagersSince(history, effects),
  };
}

export const wagerKey = (accountId: number, reference: string): string => `${accountId} ${reference}`;

function wagersSince({ operations }: History, effects: CheckInput['effects']): Map<string, number> {
  const since = new Map<string, number>();
  for (const operation of operations) {
    const { account, answeredAt = Number.POSITIVE_INFINITY } = operation;
    for (const effect of effects.of(operation)) {
      if (effect.type !== 'offer') continue;
      const key = wagerKey(account.id, effect.wager);
      since.set(key, Math.min(answeredAt, since.get(key) ?? answeredAt));
    }
  }
  return since;
}
