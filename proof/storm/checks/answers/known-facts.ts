import { asMicros, type Micros, numberFromMicros } from '#core/money.js';
import type { History } from '../../history.js';
import { effectsOf, UserNames } from '../effects.js';
import type { Queryable } from '../finding.js';

// What answers are held against, besides the requests.

/** What never changes of a bet. */
export interface KnownBet {
  readonly wager: string;
  readonly requesterId: number;
  readonly odds: number;
  readonly amount: Micros;
  /** What had been offered by the canceled bet of which this is the rest. */
  readonly canceledAmount: Micros | undefined;
}

/** What is known of the things that requests and answers name. */
export interface Known {
  readonly names: UserNames;
  readonly bets: ReadonlyMap<number, KnownBet>;
  /** When the first offer on a wager had been answered, by account and reference. */
  readonly wagersSince: ReadonlyMap<string, number>;
}

export const unless = (fits: boolean, mismatch: string): string[] => (fits ? [] : [mismatch]);

export async function knownFrom(history: History, database: Queryable): Promise<Known> {
  const names = new UserNames(history);
  return { names, bets: await knownBets(database), wagersSince: wagersSince(history, names) };
}

interface BetRow {
  readonly id: number;
  readonly wager: string;
  readonly requester: number;
  readonly odds: string;
  readonly amount: string;
  readonly canceled: string | null;
}

async function knownBets(database: Queryable): Promise<Map<number, KnownBet>> {
  const { rows } = await database.query<BetRow>(
    `SELECT b.id::int, w.reference AS wager, b.requesting_user_id::int AS requester, b.requesting_odds AS odds,
            b.requesting_amount AS amount, canceled.requesting_amount AS canceled
       FROM bets b
       JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
       LEFT JOIN bet_trails t ON t.account_id = b.account_id AND t.bet_id = b.id
                             AND t.description LIKE 'Offer for the rest of canceled bet %'
       LEFT JOIN bets canceled ON canceled.account_id = b.account_id
                              AND canceled.id = substring(t.description FROM '\\d+$')::bigint`,
  );
  return new Map(
    rows.map(({ id, wager, requester, odds, amount, canceled }) => [
      id,
      {
        wager,
        requesterId: requester,
        odds: numberFromMicros(asMicros(BigInt(odds))),
        amount: asMicros(BigInt(amount)),
        canceledAmount: canceled === null ? undefined : asMicros(BigInt(canceled)),
      },
    ]),
  );
}

export const wagerKey = (accountId: number, reference: string): string => `${accountId} ${reference}`;

function wagersSince({ operations }: History, names: UserNames): Map<string, number> {
  const since = new Map<string, number>();
  for (const operation of operations) {
    const { account, answeredAt = Number.POSITIVE_INFINITY } = operation;
    for (const effect of effectsOf(operation, names)) {
      if (effect.type !== 'offer') continue;
      const key = wagerKey(account.id, effect.wager);
      since.set(key, Math.min(answeredAt, since.get(key) ?? answeredAt));
    }
  }
  return since;
}
