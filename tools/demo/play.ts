import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { whole } from '#tools/shared/command-line.js';
import type { Credentials, DemoApi } from './demo-api.js';
import type { Bettor, Evening, Wager } from './evening.js';
import { describeMatch, describeResult } from './matches.js';
import type { Progress } from './progress.js';
import type { Operation } from './steps.js';

export interface PlayOptions {
  readonly evening: Evening;
  /** Calls as nobody in particular. */
  readonly api: DemoApi;
  readonly progress: Progress;
  /** As the command line does it. */
  makeAdmin(email: string): Promise<void>;
}

export interface Played {
  readonly business: Credentials;
  readonly admin: Credentials;
  /** Calls as the business. */
  readonly house: DemoApi;
  readonly matchedAmount: number;
}

interface Counts {
  readonly done: Record<Operation['operation_type'] | 'batch', number>;
  matchedAmount: number;
  bets: number;
  /** Of each wager the first bet that was matched. */
  readonly firstBets: Map<string, number>;
}

const BETTORS_AT_ONCE = 8;
const WAGERS_AT_ONCE = 24;
const SETTLED_WITHIN_MS = 60_000;
const POLL_MS = 100;
const WINNERS_PAID_OUT = 5;

/** From the opening of the house until all is settled, corrected and settled again. Throws when a call fails. */
export async function playEvening({ evening, api, progress, makeAdmin }: PlayOptions): Promise<Played> {
  progress.begin('The house opens');
  const [business, admin] = [inventAccount('Corner House Bets', 'demo'), inventAccount('The referee', 'demo-admin')];
  await Promise.all([api.register(business), api.register(admin)]);
  await makeAdmin(admin.email);
  const [house, referee] = await Promise.all([api.logIn(business), api.logIn(admin)]);
  progress.done(`${business.name} has opened, and ${admin.email} is an admin`);

  await letBettorsIn(house, evening.bettors, progress);
  const { matchedAmount, firstBets } = await letThemBet(house, evening.wagers, progress);
  await decideAll(house, evening.wagers, progress);
  await untilSettled(house, evening.wagers, progress);
  await correctResult(house, referee, evening.wagers, progress);
  await overrideOne(house, firstBets, evening.wagers, progress);
  await payOut(house, evening.bettors, progress);
  return { business, admin, house, matchedAmount };
}

function inventAccount(name: string, mailbox: string): Credentials {
  const [unique, password] = [randomBytes(4).toString('hex'), randomBytes(9).toString('base64url')];
  return { name, email: `${mailbox}-${unique}@example.com`, password };
}

async function letBettorsIn(house: DemoApi, bettors: readonly Bettor[], progress: Progress): Promise<void> {
  progress.begin('Bettors come in', bettors.length);
  await atOnce(BETTORS_AT_ONCE, bettors, async ({ name, reference, funds }) => {
    await house.createUser({ name, reference });
    await house.fund(reference, funds);
    progress.advance();
  });
  const total = bettors.reduce((sum, { funds }) => sum + funds, 0);
  progress.done(`${bettors.length} bettors have paid in ${whole(total)}`);
}

async function letThemBet(house: DemoApi, wagers: readonly Wager[], progress: Progress): Promise<Counts> {
  progress.begin(
    'Bets are made',
    wagers.reduce((sum, { steps }) => sum + steps.length, 0),
  );
  const done = { make_bet_offer: 0, accept_bet_offer: 0, cancel_bet_offer: 0, batch: 0 };
  const counts: Counts = { done, matchedAmount: 0, bets: 0, firstBets: new Map() };
  await atOnce(WAGERS_AT_ONCE, byLength(wagers), async ({ reference, steps }) => {
    for (const step of steps) {
      for (const { bet_id, accepted_amount } of await house.take(step)) {
        counts.matchedAmount += accepted_amount;
        counts.bets += 1;
        if (!counts.firstBets.has(reference)) counts.firstBets.set(reference, bet_id);
      }
      for (const { operation_type } of step) done[operation_type] += 1;
      if (step.length > 1) done.batch += 1;
      progress.advance();
    }
  });
  progress.done(
    `${whole(done.make_bet_offer)} offers, ${whole(done.accept_bet_offer)} acceptances, ${done.cancel_bet_offer} ` +
      `cancels, some of it in ${done.batch} batches: ${whole(counts.bets)} bets for ${whole(counts.matchedAmount)}`,
  );
  return counts;
}

async function decideAll(house: DemoApi, wagers: readonly Wager[], progress: Progress): Promise<void> {
  progress.begin('The final whistle', wagers.length);
  await atOnce(WAGERS_AT_ONCE, wagers, async ({ reference, outcome }) => {
    await house.decide(reference, outcome);
    progress.advance();
  });
  progress.done(`${wagers.length} wagers are decided`);
  for (const match of new Set(wagers.map((wager) => wager.match))) progress.say(`           ${describeMatch(match)}`);
}

/** A decision settles so many bets at once; those beyond are the worker's. */
async function untilSettled(house: DemoApi, wagers: readonly Wager[], progress: Progress): Promise<void> {
  progress.begin('Bets are settled', wagers.length);
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  const settled = await atOnce(WAGERS_AT_ONCE, wagers, async ({ reference }) => {
    for (;;) {
      const settlement = await house.settlementOf(reference);
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

/** A goal is taken back when everything was paid: whatever depends on it moves. */
async function correctResult(
  house: DemoApi,
  referee: DemoApi,
  wagers: readonly Wager[],
  progress: Progress,
): Promise<void> {
  const affected = wagers.filter(({ corrected }) => corrected !== undefined);
  const [first] = affected;
  if (first === undefined) return;
  const { home, away, result, corrected: better = result } = first.match;
  const what = `${home} v ${away} was ${describeResult(better)}, not ${describeResult(result)}`;
  progress.begin('The admin corrects a result', affected.length);
  const accountId = await house.accountId();
  await atOnce(WAGERS_AT_ONCE, affected, async ({ reference, outcome, corrected = outcome }) => {
    await referee.correct({
      account_id: accountId,
      wager_reference: reference,
      outcome: corrected,
      description: what,
    });
    progress.advance();
  });
  progress.done(`The admin has corrected a result: ${what}; ${affected.length} wagers change`);
  await untilSettled(house, affected, progress);
}

/** A bet that both sides took back: the house gives it an outcome of its own. */
async function overrideOne(
  house: DemoApi,
  firstBets: ReadonlyMap<string, number>,
  wagers: readonly Wager[],
  progress: Progress,
): Promise<void> {
  const wager = wagers.find(({ reference, outcome }) => outcome !== 'void' && firstBets.has(reference));
  const betId = firstBets.get(wager?.reference ?? '');
  if (wager === undefined || betId === undefined) return;
  progress.begin('A bet is overridden');
  await house.override(betId, 'void');
  progress.done(`Bet ${betId} on ${wager.reference} is overridden: void`);
}

/** Who has won most goes home with half of what they have. */
async function payOut(house: DemoApi, bettors: readonly Bettor[], progress: Progress): Promise<void> {
  progress.begin('Winners are paid out', WINNERS_PAID_OUT);
  const balances = new Map((await house.users()).map(({ reference, balance }) => [reference, balance]));
  const winners = bettors
    .map(({ reference, funds }) => ({ reference, balance: balances.get(reference) ?? 0, funds }))
    .filter(({ balance, funds }) => balance > funds)
    .sort((one, other) => other.balance - other.funds - (one.balance - one.funds))
    .slice(0, WINNERS_PAID_OUT);
  let total = 0;
  for (const { reference, balance } of winners) {
    const amount = Math.floor(balance / 2);
    await house.withdraw(reference, amount);
    total += amount;
    progress.advance();
  }
  progress.done(`${winners.length} winners have taken ${whole(total)} home`);
}

/** The one that takes longest begins first. */
const byLength = (wagers: readonly Wager[]) => [...wagers].sort((one, other) => other.steps.length - one.steps.length);

/** Works on so many of the items at the same time, until one fails; the results are in their order. */
async function atOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const runner = async () => {
    // The iterator is everybody's: leaving the loop, as an error does, ends it for all.
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, runner));
  return results;
}
