import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '#core/records.js';
import { cancellation, micros, odds } from '#testing/core/builders.js';
import { ACCOUNT } from '#testing/full-ledger.js';
import { numbered } from '#testing/list-pages.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import type { OpenBetsRequest } from './bet.js';
import { listOpenBets } from './open-bet-list.js';
import { isCanceledBy, type OpenOffer, readOpenOffers, readWagerId } from './open-offers.js';
import { type OrderBookRequest, readOrderBook } from './order-book.js';

// Which offers are open, as the list of open bets, the order book of a wager and its stream read them. No worker runs: what
// a decision or a cancel has left to it stays as it is.

const OTHER = 2n;
const [ANN, BOB, CAT] = [1n, 2n, 3n];

const ledger = withOpenLedger(() =>
  ledger.query(`INSERT INTO accounts (id, name, email) VALUES (${OTHER}, 'b', 'b@example.com')`),
);

const openBets = (given: Partial<OpenBetsRequest>) =>
  listOpenBets(ledger.driver.database, {
    accountIds: [ACCOUNT],
    sortBy: 'created_at',
    descending: false,
    page: numbered(1, 100),
    ...given,
  });
const bookOf = (reference: string, given: Partial<OrderBookRequest> = {}, accountId = ACCOUNT) =>
  readOrderBook(ledger.driver.database.of(accountId), accountId, {
    reference,
    depth: 100,
    userId: undefined,
    ...given,
  });
const offersOf = async (reference: string, maxSize = 1_000) =>
  readOpenOffers(ledger.driver.database.of(ACCOUNT), {
    accountId: ACCOUNT,
    wagerId: await wagerIdOf(reference),
    maxSize,
  });
const wagerIdOf = (reference: string, accountId = ACCOUNT) =>
  readWagerId(ledger.driver.database.of(accountId), accountId, reference);

const idsIn = (offers: readonly { readonly id: bigint }[]) => offers.map(({ id }) => id);
/** A bound of 0 leaves all bets of the wager to the worker. */
const decide = (wager: string, outcome: Outcome) => ledger.driver.decide(wager, outcome, 0);

describe('the order book of a wager', () => {
  it('has a level for each odds, the lowest first, with what all its offers come to', async () => {
    const { driver } = ledger;
    const first = await driver.offer('ann', 'book', 10, 2.5);
    await driver.offer('bob', 'book', 5.5, 2.5);
    await driver.offer('ann', 'book', 20, 1.8);
    await driver.accept('cat', first, 8);
    const { levels, openAmount, openOffers } = await bookOf('book');
    expect(levels).toMatchObject([
      { odds: odds(1.8), amount: '20000000', offers: 1n },
      { odds: odds(2.5), amount: '7500000', offers: 2n },
    ]);
    expect(openAmount).toBe('27500000');
    expect(openOffers).toBe(3n);
  });

  it('says since when a level has an offer', async () => {
    const { items } = await openBets({ wagerReferences: ['book'], maximumOdds: odds(1.8) });
    const { levels } = await bookOf('book');
    expect(levels[0]?.oldest).toEqual(items[0]?.createdAt);
  });

  it('shows so many levels as were asked for, and the totals of all', async () => {
    const { levels, openAmount } = await bookOf('book', { depth: 1 });
    expect(levels.map((level) => level.odds)).toEqual([odds(1.8)]);
    expect(openAmount).toBe('27500000');
  });

  it('leaves out the offers that a user may not accept', async () => {
    const { driver } = ledger;
    await driver.offer('bob', 'allowed', 3, 3);
    await driver.offer('ann', 'allowed', 10);
    await driver.offer('bob', 'allowed', 4, 2, ['ann']);
    expect(await bookOf('allowed', { userId: ANN })).toMatchObject({ openAmount: '7000000', openOffers: 2n });
    expect(await bookOf('allowed', { userId: BOB })).toMatchObject({ openAmount: '10000000', openOffers: 1n });
    expect(await bookOf('allowed', { userId: CAT })).toMatchObject({ openAmount: '13000000', openOffers: 2n });
    const { levels } = await bookOf('allowed', { userId: CAT, depth: 1 });
    expect(levels.map((level) => level.odds)).toEqual([odds(2)]);
  });

  it('has no match before the first one', async () => {
    await ledger.driver.offer('ann', 'unmatched', 10);
    expect(await bookOf('unmatched')).toMatchObject({ matchedBets: 0n, matchedAmount: '0', lastMatched: null });
  });

  it('counts all matches: of parts, and settled ones', async () => {
    const { driver } = ledger;
    const offer = await driver.offer('ann', 'matched', 5);
    await driver.accept('bob', offer, 2);
    await driver.match('ann', 'cat', 'matched', 4, 3);
    await driver.decide('matched', 'win');
    expect(await bookOf('matched')).toMatchObject({ matchedBets: 2n, matchedAmount: '6000000' });
  });

  it('names the last match, with its time', async () => {
    const [{ at } = {}] = await ledger.query(`
      SELECT max(t.created_at) AS at FROM bet_trails t JOIN wagers w ON w.id = t.wager_id
       WHERE w.reference = 'matched' AND t.accepting_amount IS NOT NULL AND t.outcome = 'undecided'`);
    expect((await bookOf('matched')).lastMatched).toEqual({ odds: odds(3), amount: '4000000', at });
  });

  it('of another account is unknown, like one that no account has', async () => {
    await expect(bookOf('book', {}, OTHER)).rejects.toThrow('Wager not found');
    await expect(bookOf('nobody')).rejects.toThrow('Wager not found');
  });
});

describe('an offer of a decided wager', () => {
  it('is not in the list, nor in its sum and number, before the worker has expired it', async () => {
    const before = await openBets({});
    await ledger.driver.offer('ann', 'decided', 3);
    await decide('decided', 'win');
    const after = await openBets({});
    expect(idsIn(after.items)).toEqual(idsIn(before.items));
    expect(after.totals).toEqual(before.totals);
  });

  it.each<[string, Partial<OpenBetsRequest>]>([
    ['its wager', { wagerReferences: ['decided'] }],
    ['its user', { userReferences: ['ann'], minimumAmount: micros(3), maximumAmount: micros(3) }],
    ['its time', { createdFrom: new Date(0), wagerReferences: ['decided', 'nobody'] }],
  ])('is not found by %s', async (_what, filter) => {
    const { items, totals } = await openBets(filter);
    expect(items).toEqual([]);
    expect(totals).toEqual({ total: 0n, totalRequestingAmount: 0n });
  });

  it('is not in the list in any order', async () => {
    const sorts = ['requesting_odds', 'requesting_amount', 'created_at'] as const;
    for (const sortBy of sorts) {
      const { items } = await openBets({ sortBy, descending: true });
      expect(items.filter(({ wagerReference }) => wagerReference === 'decided')).toEqual([]);
    }
  });

  it('is not in the book', async () => {
    expect(await bookOf('decided')).toMatchObject({ outcome: 'win', levels: [], openAmount: '0', openOffers: 0n });
  });

  it('is given to the stream of the book: a correction may show it again', async () => {
    const { outcome, offers } = await offersOf('decided');
    expect(outcome).toBe('win');
    expect(offers).toHaveLength(1);
  });

  it('is there again when the wager is undecided again, also while the worker still works', async () => {
    await ledger.driver.force('decided', 'undecided');
    await ledger.query(`UPDATE wagers SET settling_since = now() WHERE reference = 'decided'`);
    const { totals } = await openBets({ wagerReferences: ['decided'] });
    expect(totals?.total).toBe(1n);
    expect((await bookOf('decided')).openOffers).toBe(1n);
    await ledger.query(`UPDATE wagers SET settling_since = NULL WHERE reference = 'decided'`);
  });
});

describe('a canceling offer', () => {
  let left: bigint;
  let later: bigint;

  it('is not in the list, nor in its sum and number; those of others and later ones are', async () => {
    const { driver } = ledger;
    const before = await openBets({});
    for (let count = 0; count < 3; count += 1) await driver.offer('ann', 'canceling', 10);
    left = await driver.offer('bob', 'canceling', 1);
    const bound = 1;
    await driver.run(cancellation({ requestingUser: { reference: 'ann' }, wagerReferences: ['canceling'], bound }));
    later = await driver.offer('ann', 'canceling', 2);
    const [{ pending } = {}] = await ledger.query(
      `SELECT pending_cancels AS pending FROM wagers WHERE reference = 'canceling'`,
    );
    expect(pending).toMatchObject([{ user_id: Number(ANN) }]);
    const after = await openBets({});
    expect(idsIn(after.items)).toEqual([...idsIn(before.items), left, later]);
    expect(after.totals?.total).toBe((before.totals?.total ?? 0n) + 2n);
    expect(after.totals?.totalRequestingAmount).toBe((before.totals?.totalRequestingAmount ?? 0n) + 3_000_000n);
  });

  it('is not found by its user', async () => {
    const { items, totals } = await openBets({ userIds: [ANN], wagerReferences: ['canceling'] });
    expect(idsIn(items)).toEqual([later]);
    expect(totals).toEqual({ total: 1n, totalRequestingAmount: 2_000_000n });
  });

  it('is not in the book', async () => {
    expect(await bookOf('canceling')).toMatchObject({ openAmount: '3000000', openOffers: 2n });
  });

  it('is not in the book of a user', async () => {
    expect(await bookOf('canceling', { userId: CAT })).toMatchObject({ openAmount: '3000000', openOffers: 2n });
  });

  it('is not among those of the stream', async () => {
    expect(idsIn((await offersOf('canceling')).offers)).toEqual([left, later]);
  });

  it('is there again when it was opened again after the cancel', async () => {
    const isCanceled = `requesting_user_id = ${ANN} AND id < ${left} AND wager_id = ${await wagerIdOf('canceling')}`;
    await ledger.query(`UPDATE bets SET spared_up_to = ${later} WHERE id = (SELECT max(id) FROM bets WHERE ${isCanceled} AND is_active
                          AND offer_status = 'requesting')`);
    expect((await openBets({ wagerReferences: ['canceling'] })).totals?.total).toBe(3n);
    expect((await bookOf('canceling')).openOffers).toBe(3n);
    expect((await offersOf('canceling')).offers).toHaveLength(3);
    await ledger.query('UPDATE bets SET spared_up_to = DEFAULT WHERE spared_up_to > 0');
  });

  it('counts once when its wager is decided as well', async () => {
    const before = await openBets({});
    await decide('canceling', 'loss');
    const { totals } = await openBets({});
    expect(totals?.total).toBe((before.totals?.total ?? 0n) - 2n);
    expect(totals?.totalRequestingAmount).toBe((before.totals?.totalRequestingAmount ?? 0n) - 3_000_000n);
  });
});

describe('what a cancel takes', () => {
  const offer: OpenOffer = {
    id: 8n,
    odds: odds(2),
    amount: 5n,
    userId: ANN,
    allowedAcceptorIds: [],
    queuePlace: 7n,
    createdAt: new Date(0),
    cancelOnSuspend: false,
  };
  const cancel = { user_id: 1, minimum_odds: null, maximum_odds: null, queue_place: 7, bet_id: 8 };

  it.each([
    ['of its user', {}, true],
    ['of another user', { user_id: 2 }, false],
    ['at the least odds', { minimum_odds: 2_000_000 }, true],
    ['below the least odds', { minimum_odds: 2_000_001 }, false],
    ['at the highest odds', { maximum_odds: 2_000_000 }, true],
    ['above the highest odds', { maximum_odds: 1_999_999 }, false],
    ['at an earlier place', { queue_place: 8, bet_id: 1 }, true],
    ['at a later place', { queue_place: 6, bet_id: 9 }, false],
    ['that is later at the same place', { bet_id: 7 }, false],
  ])('is an offer %s: %j is %s', (_what, given, isCanceled) => {
    expect(isCanceledBy(offer, { ...cancel, ...given })).toBe(isCanceled);
  });
});

describe('the offers that the stream of a book begins with', () => {
  it('stand in the order of their times, with all that books show of them', async () => {
    const { driver } = ledger;
    const first = await driver.offer('ann', 'stream', 10, 2.5, ['bob']);
    const second = await driver.offer('bob', 'stream', 4, 1.5);
    const { offers } = await offersOf('stream');
    expect(offers).toMatchObject([
      { id: first, odds: odds(2.5), amount: 10_000_000n, userId: ANN, allowedAcceptorIds: [BOB] },
      { id: second, odds: odds(1.5), amount: 4_000_000n, userId: BOB, allowedAcceptorIds: [] },
    ]);
  });

  it('are as the log says up to its head', async () => {
    const [head] = await ledger.query(`SELECT last_seq FROM event_heads WHERE account_id = ${ACCOUNT}`);
    expect((await offersOf('stream')).asOf.seq).toBe(BigInt(String(head?.last_seq)));
  });

  it('are refused when they are more than a book may have', async () => {
    await expect(offersOf('stream', 2)).resolves.toMatchObject({ reference: 'stream' });
    await expect(offersOf('stream', 1)).rejects.toMatchObject({ code: 'book-too-large' });
  });

  it('take one more place for every ten users that they name', async () => {
    await ledger.query(`UPDATE bets SET allowed_acceptor_ids = ARRAY(SELECT generate_series(1, 20))
      WHERE requesting_user_id = ${ANN} AND cardinality(allowed_acceptor_ids) = 1`);
    await expect(offersOf('stream', 4)).resolves.toMatchObject({ reference: 'stream' });
    await expect(offersOf('stream', 3)).rejects.toMatchObject({ code: 'book-too-large' });
  });

  it('are none for a wager without offers', async () => {
    await ledger.driver.match('ann', 'bob', 'taken', 1);
    expect((await offersOf('taken')).offers).toEqual([]);
  });

  it('are those of the own account alone', async () => {
    await expect(wagerIdOf('stream', OTHER)).rejects.toThrow('Wager not found');
    const wagerId = await wagerIdOf('stream');
    const foreign = readOpenOffers(ledger.driver.database.of(OTHER), { accountId: OTHER, wagerId, maxSize: 9 });
    await expect(foreign).rejects.toThrow('Wager not found');
  });
});

describe('the sums of open offers', () => {
  it('may be larger than 64 bits', async () => {
    await ledger.query(`
      INSERT INTO wagers (account_id, reference) VALUES (${ACCOUNT}, 'large');
      INSERT INTO bets (account_id, wager_id, requesting_user_id, queue_place, requesting_odds, requesting_amount)
      SELECT ${ACCOUNT}, id, ${CAT}, 1, 1000000, 999999999999999 FROM wagers, generate_series(1, 10000)
       WHERE reference = 'large'`);
    await ledger.query(COUNT_TOTALS);
    const sum = 9_999_999_999_999_990_000n;
    const counted = await openBets({ wagerReferences: ['large'] });
    expect(counted.totals?.totalRequestingAmount).toBe(sum);
    const maintained = await openBets({});
    const rest = await openBets({ maximumAmount: micros(1_000) });
    expect(maintained.totals?.totalRequestingAmount).toBe(sum + (rest.totals?.totalRequestingAmount ?? 0n));
    expect((await bookOf('large')).openAmount).toBe(String(sum));
  });
});
