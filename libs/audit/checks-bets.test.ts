import { describe, expect, it } from '@jest/globals';
import { type Case, checks, setUpLedger, wager } from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

const ofUsers: Record<string, Case> = {
  'a balance': {
    sql: () => 'UPDATE balances SET balance = balance + 1 WHERE user_id = 1',
    found: { [checks.balance]: 1 },
    said: () => 'account 1, user 1 (ann): balance is 1061.641975, the transactions sum to 1061.641974',
  },
  'an exposure': {
    sql: () => 'UPDATE balances SET exposure = exposure + 500000 WHERE user_id = 2',
    found: { [checks.exposure]: 1 },
    said: () => 'account 1, user 2 (bob): exposure is 37, the bets come to 36.5',
  },
  'decimals that came after the money': {
    sql: () => [
      'UPDATE accounts SET decimals = 0 WHERE id = 1',
      'UPDATE event_heads SET decimals = 0 WHERE account_id = 1',
    ],
    found: { [checks.fineness]: 3, [checks.moved]: 3, [checks.position]: 2 },
    said: () => 'of an account with 0 decimals',
  },
  'a position': {
    sql: () => `UPDATE positions SET offered = offered + 1 WHERE user_id = 1 AND wager_id = ${wager('open')}`,
    found: { [checks.position]: 1 },
    said: () =>
      'user 1 in wager 1: position is win 0.666669, loss 5.5, offered 12.500001; the bets come to win 0.666669',
  },
  'a position that is missing': {
    sql: () => `DELETE FROM positions WHERE user_id = 3 AND wager_id = ${wager('open')}`,
    found: { [checks.position]: 1 },
    said: () => 'user 3 in wager 1: has an empty position or none; the bets come to win 0, loss -3, offered 4',
  },
  'a position without bets': {
    sql: () => 'INSERT INTO positions (account_id, user_id, wager_id, loss) VALUES (1, 3, 4711, -5)',
    found: { [checks.position]: 1 },
  },
  'a user without money': {
    sql: () => 'DELETE FROM balances WHERE user_id = 3',
    found: { [checks.moneyRow]: 1 },
    said: () => 'account 1, user 3 (cat): has no row in balances',
  },
  'money without a user': {
    sql: () => 'DELETE FROM users WHERE id = 3',
    found: { [checks.moneyRow]: 1, [checks.users]: 1, [checks.parties]: 13 },
    said: () => 'account 1, user 3: has money, bets or transactions, but does not exist',
  },
  'an acceptance after the time of its offer': {
    sql: () => `UPDATE bets SET expires_at = accepted_at WHERE id = (
      SELECT min(id) FROM bets WHERE accepting_user_id IS NOT NULL AND wager_id = ${wager('open')})`,
    found: { [checks.inTime]: 1 },
    said: () => 'after its time or that of its wager',
  },
  'an offer that should have expired': {
    sql: () => `UPDATE bets SET expires_at = now() - interval '16 minutes' WHERE id = (
      SELECT min(id) FROM bets WHERE offer_status = 'requesting' AND is_active AND wager_id = ${wager('open')})`,
    found: { [checks.expires]: 1 },
    said: () => 'is open, and should have expired at',
  },
  'a wager that should have closed': {
    sql: () => [
      `UPDATE bets SET accepted_at = NULL WHERE wager_id = ${wager('open')}`,
      `UPDATE wagers SET closes_at = now() - interval '16 minutes' WHERE id = ${wager('open')}`,
    ],
    found: { [checks.closes]: 1 },
    said: () => 'is open, and should have closed at',
  },
  'maintained totals': {
    sql: () => 'UPDATE ledger_totals SET bets = bets + 1 WHERE shard = (SELECT min(shard) FROM ledger_totals)',
    found: { [checks.totals]: 1 },
    said: () =>
      'account 1: totals say bets 26, open 5, their amount 22.5, transactions 34; counted: bets 25, open 5, their amount 22.5',
  },
  'the matched bets of a wager': {
    sql: () => `UPDATE wagers SET matched_bets = matched_bets + 1 WHERE id = ${wager('open')}`,
    found: { [checks.matched]: 1 },
    said: () => 'account 1, wager 1: says',
  },
  'the matched amount of a wager': {
    sql: () => `UPDATE wagers SET matched_amount = matched_amount - 1 WHERE id = ${wager('open')}`,
    found: { [checks.matched]: 1 },
  },
  'the last matched bet of a wager': {
    sql: () => `UPDATE wagers SET last_matched_bet_id = (
      SELECT min(id) FROM bets WHERE wager_id = wagers.id AND accepting_user_id IS NOT NULL)
      WHERE id = ${wager('open')}`,
    found: { [checks.lastMatched]: 1 },
  },
  'a last matched bet that has no acceptance': {
    sql: () => `UPDATE wagers SET last_matched_bet_id = 4711 WHERE id = ${wager('open')}`,
    found: { [checks.lastMatched]: 1 },
  },
  'maintained totals that are missing': { sql: () => 'DELETE FROM ledger_totals', found: { [checks.totals]: 1 } },
  'a maintained number of users': {
    sql: () => 'UPDATE row_counts SET rows = rows + 1 WHERE shard = (SELECT min(shard) FROM row_counts)',
    found: { [checks.users]: 1 },
    said: () => 'account 1: totals say 4 users, counted: 3',
  },
};

const ofBets: Record<string, Case> = {
  'a settled outcome': {
    sql: ({ won }) => `UPDATE bets SET settled_outcome = 'loss' WHERE id = ${won}`,
    found: { [checks.settled]: 1, [checks.moved]: 1, [checks.latest]: 1 },
    said: ({ won }) => `bet ${won}: is settled as loss, should be settled as win (wager 2: win)`,
  },
  'a bet left unsettled': {
    sql: ({ won }) => `UPDATE bets SET settled_outcome = NULL WHERE id = ${won}`,
    found: { [checks.exposure]: 2, [checks.position]: 2, [checks.settled]: 1, [checks.moved]: 1, [checks.latest]: 1 },
    said: ({ won }) => `bet ${won}: is not settled, should be settled as win (wager 2: win)`,
  },
  'a settled bet that is inactive': {
    sql: ({ won }) => `UPDATE bets SET is_active = false WHERE id = ${won}`,
    found: { [checks.settled]: 1, [checks.moved]: 1 },
    said: ({ won }) => `bet ${won}: is settled as win, should be not settled`,
  },
  'another outcome of a wager': {
    sql: () => `UPDATE wagers SET outcome = 'loss' WHERE reference = 'won'`,
    found: { [checks.settled]: 2, [checks.wagerLogged]: 1 },
  },
  'an override': {
    sql: ({ pushed }) => `UPDATE bets SET override_outcome = 'win' WHERE id = ${pushed}`,
    found: { [checks.settled]: 1, [checks.latest]: 1 },
    said: ({ pushed }) =>
      `bet ${pushed}: is accepted override win odds 2 amount 11; its latest trail entry says accepted odds 2 amount 11`,
  },
  'an offer left open on a decided wager': {
    sql: ({ expired }) => `UPDATE bets SET offer_status = 'requesting' WHERE id = ${expired}`,
    found: { [checks.exposure]: 1, [checks.position]: 1, [checks.status]: 1, [checks.latest]: 1, [checks.totals]: 1 },
    said: ({ expired }) => `bet ${expired}: is requesting, should be expired (wager 2: win)`,
  },
  'an offer closed on an open wager': {
    sql: ({ open }) => `UPDATE bets SET offer_status = 'expired' WHERE id = ${open}`,
    found: { [checks.exposure]: 1, [checks.position]: 1, [checks.status]: 1, [checks.latest]: 1, [checks.totals]: 1 },
  },
  'an accepted bet that is expired without an override': {
    sql: ({ accepted }) => `UPDATE bets SET offer_status = 'expired' WHERE id = ${accepted}`,
    found: { [checks.status]: 1, [checks.latest]: 1 },
  },
  'a wager that is gone': {
    sql: () => `DELETE FROM wagers WHERE reference = 'pushed'`,
    found: { [checks.status]: 1, [checks.wagerLogged]: 1 },
    said: () => 'is on wager 3, which does not exist',
  },
  'a bet of a user who does not exist': {
    sql: ({ expired }) => `UPDATE bets SET requesting_user_id = 4711 WHERE id = ${expired}`,
    found: { [checks.parties]: 1 },
    said: ({ expired }) => `bet ${expired}: is of user 4711, who does not exist`,
  },
  'a bet that is gone': {
    sql: ({ pushed }) => `DELETE FROM bets WHERE id = ${pushed}`,
    found: { [checks.party]: 1, [checks.whole]: 1, [checks.totals]: 1 },
    said: ({ pushed }) => `bet ${pushed}: has trail entries, but does not exist`,
  },
  'an agreed amount': {
    sql: ({ won }) => `UPDATE bets SET effective_amount = effective_amount - 1 WHERE id = ${won}`,
    found: { [checks.matched]: 1, [checks.moved]: 1, [checks.latest]: 1, [checks.rest]: 1 },
  },
  'agreed odds': {
    sql: ({ pushed }) => `UPDATE bets SET effective_odds = effective_odds + 1 WHERE id = ${pushed}`,
    found: { [checks.agreed]: 1, [checks.latest]: 1 },
  },
  'an acceptor who was not allowed': {
    sql: ({ pushed }) => `UPDATE bets SET allowed_acceptor_ids = '{1}' WHERE id = ${pushed}`,
    found: { [checks.agreed]: 1 },
    said: ({ pushed }) => `bet ${pushed}: is accepted by user 3, who is not among those allowed`,
  },
};

describe('the audit finds a wrong figure of a user or an account:', () => {
  it.each(Object.entries(ofUsers))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('the audit finds a wrong bet:', () => {
  it.each(Object.entries(ofBets))('%s', (_what, wrong) => ledger.expectFound(wrong));
});

describe('a report of many differences', () => {
  it('shows the first ones and counts the others', async () => {
    const lines = await ledger.differencesAfter(
      `INSERT INTO users (account_id, id, reference, name) SELECT 1, n, 'x' || n, 'X' FROM generate_series(101, 130) n`,
      `INSERT INTO row_counts VALUES (1, 'users', 99, 30)`,
    );
    expect(lines).toHaveLength(22);
    expect(lines[0]).toBe(`${checks.moneyRow}: 30 differences`);
    expect(lines[20]).toBe('  account 1, user 120 (x120): has no row in balances');
    expect(lines[21]).toBe('  and 10 more');
  });
});
