import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { decodePosition, type EventMark, type EventPosition, encodePosition } from '#events/event-position.js';
import { ACCOUNT } from '#testing/full-ledger.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import type { LogEvent } from './event.js';
import { readEventPage } from './event-log.js';
import { readMatchedTotals } from './matched-totals.js';

const [OTHER, LONG] = [2n, 3n];
const ledger = withOpenLedger(async ({ match, offer, accept, decide }) => {
  for (const amount of [1, 2.5, 4]) await match('ann', 'bob', 'match', amount);
  await accept('bob', await offer('ann', 'match', 8), 3.25);
  await decide('match', 'win');
});
let log: readonly LogEvent[];

const totalsAfter = (after: EventPosition | Date | undefined, accountId = ACCOUNT) =>
  readMatchedTotals(ledger.driver.database, { accountId, after });
const positionAt = (mark: EventMark, accountId = ACCOUNT) =>
  decodePosition(encodePosition(accountId, mark)) as EventPosition;

/** Of the events that the log shows. */
function sumOf(events: readonly LogEvent[]) {
  const matched = events.flatMap(({ type, bet }) => (type === 'offer.matched' ? [bet?.effectiveAmount ?? 0n] : []));
  return { bets: BigInt(matched.length), amount: matched.reduce<bigint>((sum, amount) => sum + amount, 0n) };
}

beforeAll(async () => {
  await ledger.query(`INSERT INTO accounts (id, name, email)
    VALUES (${OTHER}, 'b', 'b@example.com'), (${LONG}, 'c', 'c@example.com')`);
  const noFilter = { types: undefined, wagerReference: undefined, userId: undefined, betId: undefined };
  const request = { ...noFilter, accountId: ACCOUNT, after: undefined, limit: 1_000 };
  log = (await readEventPage(ledger.driver.database, request)).events;
});

describe('the totals of what was matched', () => {
  it('are those of the whole log', async () => {
    expect(await totalsAfter(undefined)).toMatchObject({ bets: 4n, amount: 10_750_000n });
    expect(sumOf(log)).toEqual({ bets: 4n, amount: 10_750_000n });
  });

  it('are those of what came after each event, without the event', async () => {
    const head = log.at(-1)?.seq;
    for (const event of log) {
      const totals = await totalsAfter(positionAt(event));
      expect(totals).toMatchObject({
        ...sumOf(log.slice(Number(event.seq))),
        next: { seq: head },
        head: { seq: head },
      });
    }
  });

  it('are those from each moment on', async () => {
    // The log has microseconds, a moment milliseconds.
    const moments = log.flatMap(({ at }) => [Number(at / 1_000n), Number(at / 1_000n) + 1]);
    for (const moment of [0, ...moments, Date.parse('2099-01-01')]) {
      const since = log.filter(({ at }) => at >= BigInt(moment) * 1_000n);
      expect(await totalsAfter(new Date(moment))).toMatchObject(sumOf(since));
    }
  });

  it('are none in an account without events, and of the own account alone', async () => {
    expect(await totalsAfter(undefined, OTHER)).toMatchObject({ bets: 0n, amount: 0n, head: { seq: 0n } });
    expect(await totalsAfter(new Date(0), OTHER)).toMatchObject({ bets: 0n, amount: 0n, head: { seq: 0n } });
  });

  it('are refused after a position of a history that was undone', async () => {
    const undone = { ...positionAt(log[3] as LogEvent), hash: 'f'.repeat(12) };
    await expect(totalsAfter(undone)).rejects.toMatchObject({ code: 'history-restored' });
  });
});

describe('the totals of a long log', () => {
  beforeAll(async () => {
    // Three commits an hour apart with 60,000 events each, every third of which is a match of 1.5.
    await ledger.query(`
      INSERT INTO users (account_id, id, reference, name) VALUES (${LONG}, 90, 'dan', 'Dan'), (${LONG}, 91, 'eve', 'Eve');
      INSERT INTO wagers (account_id, id, reference) VALUES (${LONG}, 90, 'long');
      INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place)
        VALUES (${LONG}, 90, 90, 90, 2000000, 1500000, 1);
      INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount,
                              accepting_odds, accepting_amount, effective_odds, effective_amount)
        VALUES (${LONG}, 90, 90, 90, 'accepted', 'Offer accepted', 'undecided', 2000000, 1500000, 2000000, 1500000, 2000000, 1500000);
      INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
        SELECT ${LONG}, (i - 1) * 60000 + 1, i * 60000, timestamptz '2026-01-01Z' + i * interval '1 hour',
               (SELECT array_agg(CASE WHEN n % 3 = 0 THEN ${eventKinds['offer.matched']} ELSE ${eventKinds['offer.made']} END::smallint ORDER BY n)
                  FROM generate_series(1, 60000) n), array_fill(90::bigint, ARRAY[60000]), '60000 command -'
          FROM generate_series(1, 3) i;
      INSERT INTO event_heads (account_id, last_seq, last_at, last_kind, last_ref)
        SELECT account_id, last_seq, at, kinds[60000], 90 FROM event_groups WHERE account_id = ${LONG} ORDER BY last_seq DESC LIMIT 1
        ON CONFLICT (account_id) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at, last_kind = excluded.last_kind, last_ref = excluded.last_ref`);
  });

  it('come in parts, which add up', async () => {
    const first = await totalsAfter(undefined, LONG);
    expect(first.next.seq).toBe(100_000n);
    const rest = await totalsAfter(positionAt(first.next, LONG), LONG);
    expect(rest.next).toEqual(rest.head);
    expect(first.bets + rest.bets).toBe(60_000n);
    expect(first.amount + rest.amount).toBe(60_000n * 1_500_000n);
  });

  it('begin in the middle, at a moment', async () => {
    expect(await totalsAfter(new Date('2026-01-01T02:30:00Z'), LONG)).toMatchObject({ bets: 20_000n });
  });
});
