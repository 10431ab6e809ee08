import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { whole } from '#tools/shared/command-line.js';
import type { Operation } from './bettor-requests.js';
import type { BetIds, Credentials, DemoApi } from './demo-api.js';
import type { Bettor, Evening, Wager } from './evening.js';
import { FollowedLog } from './followed-log.js';
import { describeGame, describeResult } from './games.js';
import type { Progress } from './progress.js';

export interface PlayOptions {
  readonly evening: Evening;
  /** Calls without credentials. */
  readonly api: DemoApi;
  readonly progress: Progress;
  /** Gives the account the admin role. */
  makeAdmin(email: string): Promise<void>;
}

export interface Played {
  readonly business: Credentials;
  readonly admin: Credentials;
  /** Calls as the business. */
  readonly businessApi: DemoApi;
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
export async function playEvening({ evening, api, progress, makeAdmin }: PlayOptions): Promise<Played> {
  progress.begin('The business opens its account');
  const [business, admin] = [inventAccount('Corner House Bets', 'demo'), inventAccount('The referee', 'demo-admin')];
  await Promise.all([api.register(business), api.register(admin)]);
  await makeAdmin(admin.email);
  const [businessApi, adminApi] = await Promise.all([api.logIn(business), api.logIn(admin)]);
  progress.done(`${business.name} has an account, and ${admin.email} is an admin`);

  const log = new FollowedLog(businessApi, await businessApi.headOfLog());
  try {
    const matchedAmount = await playBets({ businessApi, adminApi }, evening, progress, log);
    return { business, admin, businessApi, log, matchedAmount };
  } catch (error) {
    await log.stop();
    throw error;
  }
}

interface Players {
  readonly businessApi: DemoApi;
  readonly adminApi: DemoApi;
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

async function registerBettors(businessApi: DemoApi, bettors: readonly Bettor[], progress: Progress): Promise<void> {
  progress.begin('Bettors pay in', bettors.length);
  await atOnce(BETTORS_AT_ONCE, bettors, async ({ name, reference, funds }) => {
    await businessApi.createUser({ name, reference });
    await businessApi.fund(reference, funds);
    progress.advance();
  });
  const total = bettors.reduce((sum, { funds }) => sum + funds, 0);
  progress.done(`${bettors.length} bettors have paid in ${whole(total)}`);
}

async function placeBets(
  businessApi: DemoApi,
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
    await businessApi.label(reference, game.key);
    for (const request of requests) {
      const matched = await businessApi.send(request, betIds);
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

async function decideAll(businessApi: DemoApi, wagers: readonly Wager[], progress: Progress): Promise<void> {
  progress.begin('Wagers are decided', wagers.length);
  await atOnce(WAGERS_AT_ONCE, wagers, async ({ reference, outcome }) => {
    await businessApi.decide(reference, outcome);
    progress.advance();
  });
  progress.done(`${wagers.length} wagers are decided`);
  for (const game of new Set(wagers.map((wager) => wager.game))) progress.say(`           ${describeGame(game)}`);
}

/** Polls until the worker has settled the bets that the decisions themselves left. */
async function untilSettled(businessApi: DemoApi, wagers: readonly Wager[], progress: Progress): Promise<void> {
  progress.begin('Bets are settled', wagers.length);
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  const settled = await atOnce(WAGERS_AT_ONCE, wagers, async ({ reference }) => {
    for (;;) {
      const settlement = await businessApi.settlementOf(reference);
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
  const accountId = await businessApi.accountId();
  await atOnce(WAGERS_AT_ONCE, affected, async ({ reference, outcome, corrected = outcome }) => {
    await adminApi.correct({
      account_id: accountId,
      wager_reference: reference,
      outcome: corrected,
      description: what,
    });
    progress.advance();
  });
  progress.done(`The admin has corrected a result: ${what}; ${affected.length} wagers change`);
  await untilSettled(businessApi, affected, progress);
}

async function overrideBet(businessApi: DemoApi, betId: number | undefined, progress: Progress): Promise<void> {
  if (betId === undefined) return;
  progress.begin('A bet is overridden');
  await businessApi.override(betId, 'void');
  progress.done(`Bet ${betId} is overridden: void`);
}

/** The bettors with the highest gains withdraw half of their balances. */
async function payOut(businessApi: DemoApi, bettors: readonly Bettor[], progress: Progress): Promise<void> {
  progress.begin('Winners are paid out', WINNERS_PAID_OUT);
  const balances = new Map((await businessApi.users()).map(({ reference, balance }) => [reference, balance]));
  const winners = bettors
    .map(({ reference, funds }) => ({ reference, balance: balances.get(reference) ?? 0, funds }))
    .filter(({ balance, funds }) => balance > funds)
    .sort((one, other) => other.balance - other.funds - (one.balance - one.funds))
    .slice(0, WINNERS_PAID_OUT);
  let total = 0;
  for (const { reference, balance } of winners) {
    const amount = Math.floor(balance / 2);
    await businessApi.withdraw(reference, amount);
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
