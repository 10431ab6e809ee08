import { describe, expect, it } from '@jest/globals';
import type { AccountRole, Operation } from '../../history.js';
import { mismatchesOfRead } from './read-mismatches.js';

const ANN = 1;

const readOf = (path: string, role: AccountRole): Operation => ({
  client: 1,
  account: { role, name: 'plain-1', email: 'plain-1@storm.example', id: 7 },
  kind: 'read',
  request: { method: 'GET', path },
  requestId: 'read',
  key: undefined,
  expected: 'success',
  calledAt: 10,
  answeredAt: 11,
  tries: [200],
  answers: [],
});

describe('a read', () => {
  const wager = { reference: 'plain-1-w', outcome: 'win', account_id: 7 };
  const bet = { id: 1, account_id: 7, wager_reference: 'plain-1-w', requesting_user_id: ANN, wager };
  const mismatches = (path: string, data: unknown, role: AccountRole = 'plain') =>
    mismatchesOfRead(readOf(path, role), { data });

  it('shows only rows that its path asks for', () => {
    expect(mismatches('/bets/history?user_ids=1', [bet])).toEqual([]);
    expect(mismatches('/bets/history?user_ids=2', [bet])).toEqual([expect.stringMatching(/^not asked for: {"id":1/)]);
    expect(mismatches('/bets/2', bet)).toHaveLength(1);
    expect(mismatches('/wagers/plain-1-v', wager)).toHaveLength(1);
    expect(mismatches('/bets/history?account_ids=7&wager_references=plain-1-w', [bet], 'admin')).toEqual([]);
    expect(mismatches('/bets/history?account_ids=8', [bet], 'admin')).toHaveLength(1);
  });

  it.each([
    ['a row', { ...bet, account_id: 8 }],
    ['a part of one', { ...bet, bet_trails: [{ transactions: [{ account_id: 8 }] }] }],
    ['a wager', { ...bet, wager: { ...wager, reference: 'bulk-w' } }],
    ['a user', { ...bet, accepting_user_reference: 'bulk-ann' }],
    ['an account', { email: 'bulk@storm.example' }],
  ])('shows nothing of another account: %s', (_name, row) => {
    expect(mismatches('/bets/open-bets', [row])).toEqual([expect.stringMatching(/^of another account: /)]);
  });
});
