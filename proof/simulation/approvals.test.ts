import { expect, it } from '@jest/globals';
import { type ApprovalsContext, type Asked, makeChangeRequest } from '#approvals/ask.js';
import type { Person, RequestedOperation, RequestKind } from '#approvals/change-request.js';
import { approveChangeRequest } from '#approvals/decide-request.js';
import type { Operation } from '#core/operation.js';
import { eventKinds } from '#core/records.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { LedgerRefusal } from '#ledger/ledger.js';
import { withTx } from '#platform/database/database.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { computePreview } from '#previews/compute-preview.js';
import type { PreviewedBets, PreviewedOperation, PreviewFigures } from '#previews/preview.js';
import type { SummedUser } from '#previews/user-sums.js';
import type { Records } from '#proof/second-ledger/records.js';
import { expectBooksToBalance } from '#testing/books.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { casesOf } from '#testing/long-form.js';
import { testSeed } from '#testing/test-seed.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import type { History, Step } from './history.js';
import { planHistory } from './plan-history.js';
import { isPlayableInSlices, type PlayedStep, playOnSecondLedger } from './play-history.js';
import { type SecondBetIds, StoredAccount } from './stored-account.js';

// Plays random histories on the ledger in its database and on the second ledger. Of each decision and correction there is a
// preview first, and half of them, and of the withdrawals, are asked for by one person and approved by another. What was shown,
// what has happened, and what the second ledger says of the direct operation are equal in every user, count and sum.

const HISTORIES = casesOf({ short: 4, long: 2_000 });
/** A few histories may have few of both; of many, each has one on average. */
const LEAST_PLAYED = casesOf({ short: 1, long: 2_000 });
const AT_ONCE = 4;
const FIRST_ACCOUNT = 100n;
const TIMEOUT_MS = 60_000 + HISTORIES * 4_000;
/** More than a history has. */
const ALL_BETS = 500;
const fixture = useLedgerDatabase();
const [ANN, BEA]: [Person, Person] = [
  { id: 1n, name: 'Ann' },
  { id: 2n, name: 'Bea' },
];

type Previewed = Extract<Operation, { readonly type: PreviewedOperation['type'] }>;
type Asking = Previewed | Extract<Operation, { readonly type: 'withdraw' }>;

const kindOf = (operation: Asking): RequestKind => {
  switch (operation.type) {
    case 'withdraw':
      return 'withdraw_user';
    case 'force_wager_outcome':
      return 'force_update_outcome';
    case 'force_bet_override':
      return 'force_update_override_outcome';
    case 'set_bet_active':
      return operation.isActive ? 'set_active' : 'set_inactive';
    default:
      return operation.type;
  }
};

const isPreviewed = (operation: Operation): operation is Previewed =>
  [
    'update_wager_outcome',
    'override_bet_outcome',
    'force_wager_outcome',
    'force_bet_override',
    'set_bet_active',
  ].includes(operation.type);
/** A decision that decides nothing is no request. */
const mayBeAsked = (operation: Operation): operation is Asking =>
  operation.type === 'withdraw' ||
  (isPreviewed(operation) && !(operation.type === 'update_wager_outcome' && operation.outcome === 'undecided'));
const isWhole = (operation: Operation): boolean => !('bound' in operation) || operation.bound === ALL_BETS;

/** Most decisions settle all at once, as a preview shows them. */
const settlingAtOnce = (history: History, random: SeededRandom): History => ({
  ...history,
  steps: history.steps.map(
    (step): Step =>
      (step.do === 'decide' || step.do === 'force') && random.happens(0.8) ? { ...step, bound: ALL_BETS } : step,
  ),
});

const WORKERS_OWN: ReadonlySet<string> = new Set<Step['do']>(['chunk', 'cancel-chunk', 'clock', 'timer']);

/** A worker's operation in a batch may name a wager that the batch makes: the stored account does not know its id before. */
const isPlayable = (history: History): boolean =>
  isPlayableInSlices(history) &&
  history.steps.every((step) => step.do !== 'batch' || !step.steps.some((single) => WORKERS_OWN.has(single.do)));

const goOn = () => undefined;
const assertStillMay = async () => undefined;
const present = () => ({});

/** Of the ledger's refusal: its text. */
async function orRefusal(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LedgerRefusal || error instanceof ValidationError) return error.message;
    throw error;
  }
}

/** One asks, another approves. Returns the refusal. */
async function doByTwo(accountId: bigint, given: Asking, expectNothing: () => Promise<void>): Promise<string | null> {
  const { database, work } = fixture;
  const settlementBound = 'bound' in given ? given.bound : ALL_BETS;
  const context: ApprovalsContext = { database, work, settlementBound, needsAdmin: false };
  const action = 'action' in given ? given.action : null;
  const operation = given as RequestedOperation;
  const kind = kindOf(given);
  const asked: Asked = { accountId, call: {}, kind, given: { type: kind }, operation, action, maker: ANN, goOn };
  return orRefusal(async () => {
    const made = await makeChangeRequest(context, asked, { reason: 'The match is over', suspend: false, present });
    if (made instanceof Replayed) throw new Error('nothing was asked before');
    await expectNothing();
    const approval = {
      person: BEA,
      sides: ['account', 'admin'] as const,
      assertStillMay,
      operation,
      revision: made.revision,
    };
    const more = { call: {}, goOn, present, showMovement: present };
    const ended = await approveChangeRequest(context, made, { ...approval, ...more });
    if (ended instanceof Replayed) throw new Error('nothing was approved before');
    return ended.failure;
  });
}

async function doAtOnce(stored: StoredAccount, { task }: PlayedStep, ids: SecondBetIds): Promise<string | null> {
  const result = await stored.run(task, ids);
  return result?.kind === 'refused' ? result.rejection.text : null;
}

interface Shown {
  readonly figures: PreviewFigures;
  readonly users: readonly SummedUser[];
}

async function previewOf(accountId: bigint, operation: Previewed): Promise<Shown> {
  const request = { ledgerAccountId: accountId, operation: operation as PreviewedOperation };
  const computed = await withTx(
    fixture.database.of(accountId),
    (snapshot) => computePreview(snapshot, request, { mostBets: ALL_BETS, goOn }),
    'RepeatableRead',
  );
  if (computed === 'too-large') throw new Error('a history has few bets');
  return { figures: computed.figures, users: [...computed.users] };
}

async function usersOf(accountId: bigint) {
  const rows = await fixture.query(
    `SELECT user_id, balance, exposure FROM balances WHERE account_id = ${accountId} ORDER BY user_id`,
  );
  return rows.map(({ user_id, balance, exposure }) => ({
    id: BigInt(String(user_id)),
    balance: BigInt(String(balance)),
    exposure: BigInt(String(exposure)),
  }));
}

const lastEventOf = async (accountId: bigint): Promise<number> => {
  const [head] = await fixture.query(`SELECT last_seq::float8 FROM event_heads WHERE account_id = ${accountId}`);
  return Number(head?.last_seq);
};

/** How many bets and offers have changed their state, by their events. */
async function changedSince(accountId: bigint, seq: number): Promise<PreviewedBets> {
  const kinds = await fixture.query(`SELECT kind::int, count(*)::int FROM event_groups, unnest(kinds) AS kind
    WHERE account_id = ${accountId} AND first_seq > ${seq} GROUP BY kind`);
  const countOf = (name: keyof typeof eventKinds) =>
    Number(kinds.find(({ kind }) => kind === eventKinds[name])?.count ?? 0);
  return {
    settled: countOf('bet.settled'),
    unsettled: countOf('bet.unsettled'),
    expiredOffers: countOf('offer.expired'),
    reopenedOffers: countOf('offer.reopened'),
    canceledOffers: countOf('offer.canceled'),
  };
}

/** What all users get together, each net for each bet. */
function movedIn({ transactions }: Records): bigint {
  const nets = new Map<string, bigint>();
  for (const { betId, userId, amount, transactionType } of transactions) {
    const name = `${betId} ${userId}`;
    nets.set(name, (nets.get(name) ?? 0n) + (transactionType === 'debit' ? -amount : amount));
  }
  return [...nets.values()].filter((net) => net > 0n).reduce((sum, net) => sum + net, 0n);
}

/** What a preview must have shown, by the second ledger. */
function happenedTo({ before, after, records }: PlayedStep) {
  const users = after.users
    .map(({ id, balance: balanceAfter, exposure: exposureAfter }, index) => {
      const { balance = 0n, exposure = 0n } = before.users[index] ?? {};
      return { userId: id, balance, balanceAfter, exposure, exposureAfter };
    })
    .filter((user) => user.balance !== user.balanceAfter || user.exposure !== user.exposureAfter);
  const usersBelowZero = users.filter(({ balanceAfter }) => balanceAfter < 0n).length;
  return { moved: movedIn(records), usersAffected: users.length, usersBelowZero, users };
}

const inOrder = (users: readonly SummedUser[]) => users.toSorted((one, other) => Number(one.userId - other.userId));

interface Played {
  previews: number;
  approvals: number;
}

interface Playing {
  readonly stored: StoredAccount;
  readonly random: SeededRandom;
  readonly played: Played;
  readonly ids: SecondBetIds;
}

/** The wager of which the step left bets to the worker. */
function settlingIn({ after }: PlayedStep): number | undefined {
  const index = after.wagers.findIndex(({ isSettling }) => isSettling);
  return index === -1 ? undefined : index;
}

async function playStep(step: PlayedStep, { stored, random, played, ids }: Playing): Promise<void> {
  const { accountId } = stored;
  const { task, verdict, before, after } = step;
  const given = task.kind === 'single' ? await stored.withStoredIds(task.operation, ids) : undefined;
  const shown = given && isPreviewed(given) && isWhole(given) ? await previewOf(accountId, given) : undefined;
  const seq = shown && (await lastEventOf(accountId));
  const byTwo = given && mayBeAsked(given) && random.happens(0.5) ? given : undefined;
  const expectNothing = async () => expect(await usersOf(accountId)).toEqual(before.users);
  const refusal = byTwo ? await doByTwo(accountId, byTwo, expectNothing) : await doAtOnce(stored, step, ids);
  expect(refusal).toBe(verdict.isDone ? null : verdict.text);
  if (settlingIn(step) === undefined) expect(await usersOf(accountId)).toEqual(after.users);
  if (byTwo !== undefined && refusal === null) played.approvals += 1;
  if (shown === undefined) return;
  const { figures, users } = shown;
  const { moved, usersAffected, usersBelowZero } = figures;
  expect(figures.refusal).toBe(refusal);
  expect({ moved, usersAffected, usersBelowZero, users: inOrder(users) }).toEqual(happenedTo(step));
  expect(figures.bets).toEqual(await changedSince(accountId, seq ?? 0));
  if (usersAffected > 0) played.previews += 1;
}

/** The bets, as both ledgers have them. */
async function expectSameBets(accountId: bigint, { bets }: PlayedStep['after']): Promise<void> {
  const rows = await fixture.query(`SELECT offer_status, override_outcome, settled_outcome, is_active,
      requesting_amount, effective_amount FROM bets WHERE account_id = ${accountId} ORDER BY id`);
  const shown = (value: unknown) => (value === null ? null : String(value));
  expect(rows.map((row) => Object.values(row).map(shown))).toEqual(
    bets.map((bet) =>
      [
        bet.offerStatus,
        bet.overrideOutcome,
        bet.settledOutcome,
        bet.isActive,
        bet.requestingAmount,
        bet.effectiveAmount,
      ].map(shown),
    ),
  );
}

async function playHistory(seed: number, history: History, stored: StoredAccount, played: Played): Promise<void> {
  const random = createSeededRandom(seed + 3);
  let ids: SecondBetIds = [];
  let place = 0;
  const steps = [...settlingAtOnce(history, random).steps];
  try {
    for (const step of playOnSecondLedger({ ...history, steps })) {
      place += 1;
      await playStep(step, { stored, random, played, ids });
      ids = step.after.bets.map(({ id }) => id);
      // Which bets come first is for PostgreSQL to say. So the worker's part follows at once, and then the ledgers are equal.
      const wager = settlingIn(step);
      if (wager !== undefined) steps.splice(place, 0, { do: 'chunk', wager, bound: ALL_BETS });
      if (place === steps.length) await expectSameBets(stored.accountId, step.after);
    }
  } catch (error) {
    throw new Error(`step ${place} of history ${seed}: ${String(error)}`);
  }
}

it(
  'what was shown is what happens, directly or by two people',
  async () => {
    const played = { previews: 0, approvals: 0 };
    const histories: { seed: number; history: History; stored: StoredAccount }[] = [];
    for (let seed = testSeed; histories.length < HISTORIES; seed += 1) {
      const history = planHistory(seed, { isTimed: false });
      if (!isPlayable(history)) continue;
      const stored = new StoredAccount(fixture, FIRST_ACCOUNT + BigInt(histories.length));
      await stored.open(history.account);
      histories.push({ seed, history, stored });
    }
    await fixture.query(COUNT_TOTALS);
    const waiting = histories.values();
    const playAll = async () => {
      for (const { seed, history, stored } of waiting) await playHistory(seed, history, stored, played);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, playAll));
    expect(Math.min(played.previews, played.approvals)).toBeGreaterThan(LEAST_PLAYED);
    // No worker runs here: its work waits, and many histories take longer than the audit allows for it.
    await fixture.query('UPDATE outbox SET created_at = statement_timestamp() WHERE done_at IS NULL');
    await expectBooksToBalance(fixture.environment.database);
  },
  TIMEOUT_MS,
);
