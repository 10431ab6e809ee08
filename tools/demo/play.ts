import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerClient } from '#clients/typescript/client.js';
import { whole } from '#tools/shared/command-line.js';
import type { Operation } from './bettor-requests.js';
import { type BetIds, createDemoClient, openBettor, send } from './demo-client.js';
import type { Bettor, Evening, Wager } from './evening.js';
import { FollowedLog } from './followed-log.js';
import { describeGame, describeResult } from './games.js';
import type { Progress } from './progress.js';

export interface Credentials {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface PlayOptions {
  readonly evening: Evening;
  readonly apiUrl: string;
  /** Aborts calls in progress. */
  readonly stopping: AbortSignal;
  readonly progress: Progress;
  /** Gives the account the admin role. */
  makeAdmin(email: string): Promise<void>;
}

export interface Played {
  readonly business: Credentials;
  readonly admin: Credentials;
  /** Calls as the business. */
  readonly businessApi: LedgerClient;
  /** Followed from before the first bettor; to be stopped. */
  readonly log: FollowedLog;
  readonly matchedAmount: number;
}

interface BettingCounts {
  readonly operations: Record<Operation['operation_type'], number>;
  batches: number;
  matchedAmount: number;
  bets: number;
}

const BETTORS_AT_ONCE = 8;
const WAGERS_AT_ONCE = 24;
const SETTLED_WITHIN_MS = 60_000;
const POLL_MS = 100;
const WINNERS_PAID_OUT = 5;

/** Plays from the registration of the business until everything is settled, corrected and paid out. */
export async function playEvening({ evening, progress, makeAdmin, ...connection }: PlayOptions): Promise<Played> {
  progress.begin('The business opens its account');
  const [business, admin] = [inventAccount('Corner House Bets', 'demo'), inventAccount('The referee', 'demo-admin')];
  const anyone = createDemoClient(connection);
  for (const body of [business, admin]) await anyone.post('/auth/register/account', { body });
  await makeAdmin(admin.email);
  const logIn = async ({ email, password }: Credentials) => {
    const { data } = await anyone.post('/auth/login/account', { body: { email, password } });
    return createDemoClient({ ...connection, token: data.token });
  };
  const [businessApi, adminApi] = await Promise.all([logIn(business), logIn(admin)]);
  progress.done(`${business.name} has an account, and ${admin.email} is an admin`);

  const log = await FollowedLog.from(businessApi);
  try {
    const matchedAmount = await playBets({ businessApi, adminApi }, evening, progress, log);
    return { business, admin, businessApi, log, matchedAmount };
  } catch (error) {
    await log.stop();
    throw error;
  }
}

interface Players {
  readonly businessApi: LedgerClient;
  readonly adminApi: LedgerClient;
}

async function playBets(players: Players, evening: Evening, progress: Progress, log: FollowedLog): Promise<number> {
  const { businessApi } = players;
  const betIds: BetIds = new Map();
  await registerBettors(businessApi, evening.bettors, progress);
  const { matchedAmount } = await placeBets(businessApi, evening.wagers, betIds, progress);
  progress.say(log.text);
  await decideAll(businessApi, evening.wagers, progress);
  await untilSettled(businessApi, evening.wagers, progress);
  progress.say(log.text);
  await correctResult(players, evening.wagers, progress);
  await overrideBet(businessApi, betIds.get(evening.overriddenOffer ?? 0), progress);
  await payOut(businessApi, evening.bettors, progress);
  progress.say(log.text);
  return matchedAmount;
}

function inventAccount(name: string, mailbox: string): Credentials {
  const [unique, password] = [randomBytes(4).toString('hex'), randomBytes(9).toString('base64url')];
  return { name, email: `${mailbox}-${unique}@example.com`, password };
}

async function registerBettors(
  businessApi: LedgerClient,
  bettors: readonly Bettor[],
  progress: Progress,
): Promise<void> {
  progress.begin('Bettors pay in', bettors.length);
  await atOnce(BETTORS_AT_ONCE, bettors, async (bettor) => {
    await openBettor(businessApi, bettor);
    progress.advance();
  });
  const total = bettors.reduce((sum, { funds }) => sum + funds, 0);
  progress.done(`${bettors.length} bettors have paid in ${whole(total)}`);
}

async function placeBets(
  businessApi: LedgerClient,
  wagers: readonly Wager[],
  betIds: BetIds,
  progress: Progress,
): Promise<BettingCounts> {
  progress.begin(
    'Bets are made',
    wagers.reduce((sum, { requests }) => sum + requests.length, 0),
  );
  const operations = { make_bet_offer: 0, accept_bet_offer: 0, cancel_bet_offer: 0 };
  const counts: BettingCounts = { operations, batches: 0, matchedAmount: 0, bets: 0 };
  await atOnce(WAGERS_AT_ONCE, byLength(wagers), async ({ reference, game, requests }) => {
    await businessApi.put('/wagers/{reference}', { params: { path: { reference } }, body: { event: game.key } });
    for (const request of requests) {
      const matched = await send(businessApi, request, betIds);
      counts.matchedAmount += matched;
      if (matched > 0) counts.bets += 1;
      for (const { operation_type } of request) operations[operation_type] += 1;
      if (request.length > 1) counts.batches += 1;
      progress.advance();
    }
  });
  progress.done(
    `${whole(operations.make_bet_offer)} offers, ${whole(operations.accept_bet_offer)} acceptances, ` +
      `${operations.cancel_bet_offer} cancels, some of them in ${counts.batches} batches: ` +
      `${whole(counts.bets)} bets for ${whole(counts.matchedAmount)}`,
  );
  return counts;
}

async function decideAll(businessApi: LedgerClient, wagers: readonly Wager[], progress: Progress): Promise<void> {
  progress.begin('Wagers are decided', wagers.length);
  await atOnce(WAGERS_AT_ONCE, wagers, async ({ reference, outcome }) => {
    await businessApi.post('/bets/update-wager-outcome', { body: { reference, outcome } });
    progress.advance();
  });
  progress.done(`${wagers.length} wagers are decided`);
  for (const game of new Set(wagers.map((wager) => wager.game))) progress.say(`           ${describeGame(game)}`);
}

/** Polls until the worker has settled the bets that the decisions themselves left. */
async function untilSettled(businessApi: LedgerClient, wagers: readonly Wager[], progress: Progress): Promise<void> {
  progress.begin('Bets are settled', wagers.length);
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  const settled = await atOnce(WAGERS_AT_ONCE, wagers, async ({ reference }) => {
    for (;;) {
      const { settlement } = (await businessApi.get('/wagers/{reference}', { params: { path: { reference } } })).data;
      if (settlement.state === 'settled') {
        progress.advance();
        return settlement.settled;
      }
      if (performance.now() > deadline) {
        throw new Error(`${reference} is not settled after ${SETTLED_WITHIN_MS / 1_000} s: does a worker run?`);
      }
      await delay(POLL_MS);
    }
  });
  progress.done(`${whole(settled.reduce((sum, count) => sum + count, 0))} bets are settled`);
}

/** The admin corrects a game whose bets are already paid. */
async function correctResult(
  { businessApi, adminApi }: Players,
  wagers: readonly Wager[],
  progress: Progress,
): Promise<void> {
  const affected = wagers.filter(({ corrected }) => corrected !== undefined);
  const [first] = affected;
  if (first === undefined) return;
  const { home, away, result, corrected: better = result } = first.game;
  const what = `${home} v ${away} was ${describeResult(better)}, not ${describeResult(result)}`;
  progress.begin('The admin corrects a result', affected.length);
  const { id: account_id } = (await businessApi.get('/auth/account/me')).data;
  await atOnce(WAGERS_AT_ONCE, affected, async ({ reference, outcome, corrected = outcome }) => {
    const body = { account_id, wager_reference: reference, outcome: corrected, description: what };
    await adminApi.post('/admin/wagers/force-update-outcome', { body });
    progress.advance();
  });
  progress.done(`The admin has corrected a result: ${what}; ${affected.length} wagers change`);
  await untilSettled(businessApi, affected, progress);
}

async function overrideBet(businessApi: LedgerClient, betId: number | undefined, progress: Progress): Promise<void> {
  if (betId === undefined) return;
  progress.begin('A bet is overridden');
  await businessApi.post('/bets/override-outcome', { body: { bet_id: betId, override_outcome: 'void' } });
  progress.done(`Bet ${betId} is overridden: void`);
}

/** The bettors with the highest gains withdraw half of their balances. */
async function payOut(businessApi: LedgerClient, bettors: readonly Bettor[], progress: Progress): Promise<void> {
  progress.begin('Winners are paid out', WINNERS_PAID_OUT);
  const balances = new Map<string, number>();
  for await (const { reference, balance } of businessApi.users.list()) balances.set(reference, balance);
  const winners = bettors
    .map(({ reference, funds }) => ({ reference, balance: balances.get(reference) ?? 0, funds }))
    .filter(({ balance, funds }) => balance > funds)
    .sort((one, other) => other.balance - other.funds - (one.balance - one.funds))
    .slice(0, WINNERS_PAID_OUT);
  let total = 0;
  for (const { reference, balance } of winners) {
    const amount = Math.floor(balance / 2);
    await businessApi.post('/transactions/withdraw', { body: { user_reference: reference, amount } });
    total += amount;
    progress.advance();
  }
  progress.done(`${winners.length} winners have withdrawn ${whole(total)}`);
}

/** The longest wager begins first. */
const byLength = (wagers: readonly Wager[]) =>
  [...wagers].sort((one, other) => other.requests.length - one.requests.length);

/** Works on up to `limit` items at the same time, until one fails; the results are in the order of the items. */
async function atOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const runner = async () => {
    // All runners share the iterator: an error closes it, so the others end too.
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, runner));
  return results;
}
