import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { KnownAccount } from './known-account.js';

const known = () => new KnownAccount({ role: 'plain', name: 'plain', email: 'plain@storm.example', id: 1 }, 'token');

describe('a known account', () => {
  it('has each wager decided after a few bets', () => {
    const chance = createSeededRandom(1);
    const open = known();
    const bets = new Map<string, number>();
    const decided: string[] = [];
    for (let bet = 0; bet < 2_000; bet += 1) {
      const wager = open.openWager(chance);
      expect(decided).not.toContain(wager);
      bets.set(wager, (bets.get(wager) ?? 0) + 1);
      const { hasWagerToDecide } = open;
      const full = open.nextToDecide();
      expect(hasWagerToDecide).toBe(full !== undefined);
      decided.push(...(full === undefined ? [] : [full]));
    }
    expect(Math.max(...bets.values())).toBeLessThanOrEqual(20);
    expect(bets.size - decided.length).toBeLessThanOrEqual(2);
  });
});
