import { beforeAll, describe, expect, it } from '@jest/globals';
import { applyAuditSettings, inAuditSnapshot, runAudit, runPasses } from '#audit/audit.js';
import type { Finding } from '#audit/check.js';
import { hoursOfLogs } from '#audit/checks-hourly-sums.js';
import { prepareFreshRows } from '#audit/fresh-rows.js';
import { linesOfDifferences } from '#audit/report.js';
import { freshScope, type Scope, wholeScope } from '#audit/scope.js';
import { type EventKind, eventKinds, type Outcome, outcomes } from '#core/records.js';
import { indexNextBlocks } from '#events/event-index.js';
import { LedgerRefusal } from '#ledger/ledger.js';
import { ACCOUNT, USERS } from '#testing/full-ledger.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { type HourlySeries, readHourlySeries, type SeriesRequest } from './hourly-series.js';

// A second ledger adds up single bets, event by event, and each series must say the same: of events that are in the stored
// sums, of others, and of both.

const HOUR_MS = 3_600_000;
const ROUNDS = 300;
const OTHER = 2n;
const WAGERS = ['one', 'two', 'three'] as const;
const ledger = withOpenLedger();

/** A generator of whole numbers that always gives the same ones. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

async function playAtRandom(): Promise<void> {
  const { match, offer, decide, force, override, forceOverride, setActive } = ledger.driver;
  const dice = createDice(7);
  const pick = <Item>(items: readonly Item[]): Item => items[dice(items.length)] as Item;
  const bets: bigint[] = [];
  const oneOf = () => pick(bets);
  const steps: (() => Promise<unknown>)[] = [
    () => offer(pick(USERS), pick(WAGERS), 1 + dice(9)),
    () => override(oneOf(), pick(outcomes)),
    () => forceOverride(oneOf(), pick([null, ...outcomes])),
    () => setActive(oneOf(), dice(2) === 0),
    () => setActive(oneOf(), dice(2) === 0),
    () => decide(pick(WAGERS), pick(['win', 'loss'] as Outcome[])),
    () => force(pick(WAGERS), pick(outcomes)),
    () => force(pick(WAGERS), 'undecided'),
    () => force(pick(WAGERS), 'undecided'),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [requester, acceptor] = pick([
      ['ann', 'bob'],
      ['bob', 'cat'],
      ['cat', 'ann'],
    ] as const);
    await refusable(async () =>
      bets.push(
        await match(requester, acceptor, pick(WAGERS), pick([1.000001, 2.5, 4]), pick([1, 1.333333, 2, 3.700001])),
      ),
    );
    if (bets.length > 0) await refusable(pick(steps));
  }
}

async function refusable(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof LedgerRefusal)) throw error;
  }
}

interface Entry {
  readonly kind: EventKind;
  readonly hour: number;
  readonly bet: string;
  readonly wager: string;
  readonly requester: string;
  readonly acceptor: string;
  readonly stake: bigint;
  readonly winnings: bigint;
  readonly moved: bigint;
}

const kindOf = new Map<unknown, EventKind>(
  Object.entries(eventKinds).map(([kind, number]) => [number, kind as EventKind]),
);

async function readEntries(): Promise<Entry[]> {
  const rows = await ledger.query(`
    SELECT e.kind, date_trunc('hour', g.at, 'UTC') AS hour, b.id AS bet, w.reference AS wager, r.reference AS requester, a.reference AS acceptor,
           t.effective_amount AS stake, t.effective_odds AS odds,
           (SELECT coalesce(sum(x.amount), 0)::bigint FROM transactions x WHERE x.bet_trail_id = t.id AND x.transaction_type = 'credit') AS moved
      FROM event_groups g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
      JOIN bet_trails t ON t.id = e.ref JOIN bets b ON b.id = t.bet_id JOIN wagers w ON w.id = b.wager_id
      JOIN users r ON r.id = b.requesting_user_id JOIN users a ON a.id = b.accepting_user_id
     WHERE e.kind BETWEEN 4 AND 13 AND g.account_id = ${ACCOUNT} ORDER BY g.last_seq, e.place`);
  return rows.map(({ kind, hour, stake, odds, moved, ...row }) => {
    const [amount, price] = [BigInt((stake ?? 0) as string), BigInt((odds ?? 1_000_000) as string)];
    const exact = Number(amount * (price - 1_000_000n)) / 1_000_000;
    return {
      ...(row as Pick<Entry, 'bet' | 'wager' | 'requester' | 'acceptor'>),
      kind: kindOf.get(kind) as EventKind,
      hour: Number(hour),
      stake: amount,
      winnings: BigInt(Math.round(exact)),
      moved: BigInt(moved as string),
    };
  });
}

/** Which money of a bet is at risk for whom the series is. */
function riskOf(
  { of }: Pick<SeriesRequest, 'of'>,
  { wager, requester, acceptor, stake, winnings }: Entry,
): bigint | undefined {
  if (of === undefined) return stake + winnings;
  if ('wager' in of) return of.wager === wager ? stake + winnings : undefined;
  return of.user === requester ? stake : of.user === acceptor ? winnings : undefined;
}

interface BetState {
  isMatched: boolean;
  isActive: boolean;
  isSettled: boolean;
  risk: bigint;
}

function change(state: BetState, kind: EventKind): void {
  if (kind === 'offer.matched') state.isMatched = true;
  else if (kind === 'bet.settled' || kind === 'bet.unsettled') state.isSettled = kind === 'bet.settled';
  else if (kind === 'bet.activated' || kind === 'bet.deactivated') state.isActive = kind === 'bet.activated';
}

const NOTHING = { matchedBets: 0, matchedAmount: 0n, settledBets: 0, settledAmount: 0n };

/** What an hour comes to with one more event of it. */
function plus(sums: typeof NOTHING, { kind, stake, moved }: Entry): typeof NOTHING {
  const isMatch = kind === 'offer.matched';
  return {
    matchedBets: sums.matchedBets + (isMatch ? 1 : 0),
    matchedAmount: sums.matchedAmount + (isMatch ? stake : 0n),
    settledBets: sums.settledBets + (kind === 'bet.settled' ? 1 : 0),
    settledAmount: sums.settledAmount + (kind === 'bet.settled' || kind === 'bet.unsettled' ? moved : 0n),
  };
}

const atRiskIn = (states: ReadonlyMap<string, BetState>): bigint =>
  [...states.values()].reduce((sum, { isMatched, isActive, isSettled, risk }) => {
    return isMatched && isActive && !isSettled ? sum + risk : sum;
  }, 0n);

function expectedSeries({ of, from, to }: Pick<SeriesRequest, 'of' | 'from' | 'to'>) {
  const states = new Map<string, BetState>();
  const own = entries.filter((entry) => riskOf({ of }, entry) !== undefined);
  const hours = [];
  let next = 0;
  for (let at = from.getTime(); at < Math.min(to.getTime(), Date.now()); at += HOUR_MS) {
    let sums = NOTHING;
    for (let entry = own[next]; entry !== undefined && entry.hour <= at; next += 1, entry = own[next]) {
      const state = states.get(entry.bet) ?? { isMatched: false, isActive: true, isSettled: false, risk: 0n };
      state.risk = riskOf({ of }, entry) ?? 0n;
      change(state, entry.kind);
      states.set(entry.bet, state);
      if (entry.hour === at) sums = plus(sums, entry);
    }
    hours.push({ at: new Date(at), ...sums, grossExposure: atRiskIn(states) });
  }
  return hours;
}

const everything: SeriesRequest['of'][] = [
  undefined,
  ...WAGERS.map((wager) => ({ wager })),
  ...USERS.map((user) => ({ user })),
];

const seriesOf = (request: Omit<SeriesRequest, 'accountId'>, accountId = ACCOUNT): Promise<HourlySeries> =>
  readHourlySeries(ledger.driver.database.of(accountId), { accountId, ...request });

const RANGE = { from: ACCOUNT, to: ACCOUNT };
const hoursAudited = (scope: Scope): Promise<Finding | undefined> =>
  inAuditSnapshot(ledger.driver.database.of(ACCOUNT), async (snapshot) => {
    await applyAuditSettings(snapshot);
    if (!scope.isWhole) await prepareFreshRows(snapshot, RANGE);
    const [finding] = await runPasses(snapshot, scope, [hoursOfLogs]);
    return finding;
  });

let entries: readonly Entry[];
let first: Date;
const periodFrom = (hours: number, length: number) => {
  const from = first.getTime() + hours * HOUR_MS;
  return { from: new Date(from), to: new Date(from + length * HOUR_MS) };
};

/** Of the whole time, of a part in its middle, and of the last hours. */
async function expectTheSame(): Promise<void> {
  for (const of of everything) {
    for (const period of [periodFrom(-3, 700), periodFrom(11, 24), periodFrom(60, 5)]) {
      const { hours, behind } = await seriesOf({ of, ...period });
      expect(behind).toBe(0n);
      expect(hours).toEqual(expectedSeries({ of, ...period }));
    }
  }
}

beforeAll(async () => {
  await playAtRandom();
  // The log of a few seconds becomes one of some days: an event each few minutes.
  await ledger.query('ALTER TABLE event_groups DISABLE TRIGGER USER');
  await ledger.query(`UPDATE event_groups SET at = now() - interval '5 days' + last_seq * interval '3 minutes'`);
  entries = await readEntries();
  first = new Date(entries[0]?.hour as number);
});

describe('the series of an account, a wager and a user', () => {
  it('are of a ledger in which everything happens', () => {
    const kinds = new Set(entries.map(({ kind }) => kind));
    const wanted = ['offer.matched', 'bet.settled', 'bet.unsettled', 'bet.activated', 'bet.deactivated'] as const;
    expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(entries.at(-1)?.hour).toBeGreaterThan(first.getTime() + 50 * HOUR_MS);
  });

  it('are those of a second ledger while no event is in a stored sum', expectTheSame);

  it('are the same when a block of events is stored, and the others are behind it', async () => {
    await expect(indexNextBlocks(ledger.driver.database, ACCOUNT)).resolves.toBe(true);
    await expect(ledger.query('SELECT FROM hourly_sums')).resolves.not.toHaveLength(0);
    await expectTheSame();
  });

  it('are the same when a second block has added to an hour of the first', async () => {
    await ledger.query(`
      SELECT append_group(${ACCOUNT}, array_fill(${eventKinds['user.updated']}::smallint, ARRAY[1024]),
                          array_fill(1::bigint, ARRAY[1024]), '1024 worker -', NULL)`);
    await expect(indexNextBlocks(ledger.driver.database, ACCOUNT)).resolves.toBe(true);
    await expectTheSame();
  });

  it('end with what the bets say, and users with all of it together', async () => {
    const [bets] = await ledger.query(`
      SELECT sum(effective_amount + round(effective_amount::numeric * (effective_odds - 1000000) / 1000000))::bigint AS risk
        FROM bets WHERE accepting_user_id IS NOT NULL AND is_active AND settled_outcome IS NULL`);
    const last = async (of: SeriesRequest['of']) =>
      (await seriesOf({ of, ...periodFrom(0, 200) })).hours.at(-1)?.grossExposure ?? 0n;
    const ofUsers = await Promise.all(USERS.map((user) => last({ user })));
    expect(await last(undefined)).toBe(BigInt(bets?.risk as string));
    expect(ofUsers.reduce((sum, risk) => sum + risk)).toBe(BigInt(bets?.risk as string));
  });

  it('are made again when the index is deleted, and the audit finds no difference', async () => {
    await ledger.query('DELETE FROM event_indexes');
    await expect(ledger.query('SELECT FROM hourly_sums')).resolves.toEqual([]);
    while (await indexNextBlocks(ledger.driver.database, ACCOUNT));
    await expectTheSame();
    const { findings } = await runAudit(ledger.driver.database);
    expect(linesOfDifferences(findings.filter(({ name }) => name.startsWith('the hourly sums')))).toEqual([]);
  });

  it('are audited in the night from the hour on that follows a closing', async () => {
    await ledger.query(`
      INSERT INTO account_closings (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, last_event_seq, bets, transactions)
      SELECT ${ACCOUNT}, '2026-01-01', now(), 0, 0, 0, (SELECT last_seq FROM event_groups WHERE last_seq < 700 ORDER BY last_seq DESC LIMIT 1), 0, 0`);
    const whole = await hoursAudited(wholeScope(RANGE));
    const fresh = await hoursAudited(freshScope(RANGE));
    expect([whole?.differing, fresh?.differing]).toEqual([0, 0]);
    expect(fresh?.compared).toBeGreaterThan(20);
    expect(fresh?.compared).toBeLessThan(whole?.compared ?? 0);
    const [first, last] = ['min', 'max'].map(
      (end) => `subject = 3 AND hour = (SELECT ${end}(hour) FROM hourly_sums WHERE subject = 3)`,
    );
    await ledger.query(`UPDATE hourly_sums SET matched_bets = matched_bets + 1 WHERE ${first}`);
    expect(await hoursAudited(freshScope(RANGE))).toMatchObject({ differing: 0 });
    await ledger.query(`UPDATE hourly_sums SET settled_bets = settled_bets + 1 WHERE ${last}`);
    expect(await hoursAudited(freshScope(RANGE))).toMatchObject({ differing: 1 });
    expect(await hoursAudited(wholeScope(RANGE))).toMatchObject({ differing: 2 });
  });

  it('count in an account with decimals the winnings that its ledger rounds down', async () => {
    await ledger.query(`UPDATE accounts SET decimals = 2`);
    await ledger.query('DELETE FROM event_indexes');
    await indexNextBlocks(ledger.driver.database, ACCOUNT);
    const { findings } = await runAudit(ledger.driver.database);
    expect(linesOfDifferences(findings.filter(({ name }) => name.startsWith('the hourly sums')))).toEqual([]);
    await ledger.query(`UPDATE accounts SET decimals = NULL`);
  });

  it('are 0 in another account, which has nobody of these names', async () => {
    await ledger.query(`INSERT INTO accounts (id, name, email) VALUES (${OTHER}, 'b', 'b@example.com')`);
    const { hours } = await seriesOf({ of: undefined, ...periodFrom(0, 24) }, OTHER);
    expect(hours.every((hour) => hour.matchedBets === 0 && hour.grossExposure === 0n)).toBe(true);
    await expect(seriesOf({ of: { wager: 'one' }, ...periodFrom(0, 1) }, OTHER)).rejects.toMatchObject({
      code: 'wager-not-found',
    });
    await expect(seriesOf({ of: { user: 'ann' }, ...periodFrom(0, 1) }, OTHER)).rejects.toMatchObject({
      code: 'user-not-found',
    });
  });

  it('say how many events they lack when the worker is far behind', async () => {
    await ledger.query(`
      SELECT append_group(${ACCOUNT}, array_fill(${eventKinds['user.updated']}::smallint, ARRAY[12000]),
                          array_fill(1::bigint, ARRAY[12000]), '12000 worker -', NULL)`);
    const [log] = await ledger.query(`
      SELECT h.last_seq - i.indexed_seq AS unsummed FROM event_heads h JOIN event_indexes i USING (account_id)`);
    const { behind } = await seriesOf({ of: undefined, ...periodFrom(0, 24) });
    expect(behind).toBe(BigInt(log?.unsummed as string) - 10_000n);
  });
});
