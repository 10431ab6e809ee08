import { type Database, withTx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { BetWithTrails, TrailsWanted } from './bet.js';
import { findAccountOfBet, findBet, withTrails } from './bet-repository.js';

export async function readBet(
  database: Database,
  accountId: bigint,
  { id, trails }: { readonly id: bigint; readonly trails: TrailsWanted },
): Promise<BetWithTrails> {
  const found =
    trails === 'none'
      ? { bet: await findBet(database, accountId, id), trails: undefined }
      : await withTx(
          database,
          async (snapshot) => {
            const bet = await findBet(snapshot, accountId, id);
            const [whole] = bet === undefined ? [] : await withTrails(snapshot, [bet], trails);
            return whole;
          },
          'RepeatableRead',
        );
  if (found?.bet === undefined) throw new Refusal('bet-unknown');
  return { bet: found.bet, trails: found.trails };
}

/** For admins, who may name a bet of any account. */
export async function accountOfBet(database: Database, id: bigint): Promise<bigint> {
  const accountId = await findAccountOfBet(database, id);
  if (accountId === undefined) throw new Refusal('bet-unknown');
  return accountId;
}
