import type { Operation } from '#core/operation.js';
import type { Outcome } from '#core/records.js';
import {
  type BetPicture,
  isDecided,
  type Picture,
  type UserPicture,
  type WagerPicture,
} from '#proof/second-ledger/picture.js';
import type { PlayedStep } from './play-history.js';

/*
 * The situations that histories must bring about: each operation done and refused, and the rarer cases. A run counts
 * the steps in which each arose, and a test checks that none is missing.
 */

const operationTypes = [
  'make_bet_offer',
  'accept_bet_offer',
  'cancel_bet_offer',
  'update_wager_outcome',
  'override_bet_outcome',
  'fund_user',
  'withdraw',
  'settle_chunk',
  'cancel_chunk',
  'force_wager_outcome',
  'set_bet_active',
  'force_bet_override',
  'suspend_wager',
  'resume_wager',
  'close_wager',
  'schedule_wager',
  'run_clock',
  'fire_timer',
] as const satisfies readonly Operation['type'][];

/** A step with each bet, user and wager that existed before it, as it was before and as it is after. */
interface ComparedStep extends PlayedStep {
  readonly bets: readonly BeforeAfter<BetPicture>[];
  readonly users: readonly BeforeAfter<UserPicture>[];
  readonly wagers: readonly BeforeAfter<WagerPicture>[];
}
interface BeforeAfter<Item> {
  readonly was: Item;
  readonly is: Item;
}

type Condition = (step: ComparedStep) => boolean;

const refusals: Readonly<Record<string, Condition>> = {
  'batch refused for one of its operations': (step) => step.task.kind === 'batch' && isRefused(step, /^operation '/),
  'batch refused for a repeated id': (step) => isRefused(step, /must be unique within a batch/),
  'refused for lack of money': (step) => isRefused(step, /would cause negative effective balance/),
  'refused for a figure that is too large': (step) => isRefused(step, /must not be greater|may be greater/),
  'refused for too many decimals': (step) => isRefused(step, /decimal places/),
  'refused for an allow-list': (step) => isRefused(step, /not allowed to accept/),
};

const offers: Readonly<Record<string, Condition>> = {
  'offer taken in part': (step) => countNewly(step, isPartlyTaken) > 0,
  'several offers taken at once': (step) => isOf(step, 'accept_bet_offer') && countNewly(step, isMatched) > 1,
  'offer of odds 1 taken': (step) => countNewly(step, (bet) => bet.effectiveOdds === 1_000_000n) > 0,
  'acceptance that frees exposure': (step) =>
    isOf(step, 'accept_bet_offer') && step.users.some(({ was, is }) => is.exposure < was.exposure),
  'a user goes into debt': (step) => step.users.some(({ was, is }) => goesIntoDebt(was, is)),
  'acceptance that lowers nothing, by a user in debt': (step) =>
    isOf(step, 'accept_bet_offer') && acceptorsIn(step).some(({ was, is }) => owes(is) && worth(is) >= worth(was)),
  'offer canceled with a rest': (step) =>
    isOf(step, 'cancel_bet_offer') && step.after.bets.length > step.before.bets.length,
  'several offers canceled at once': (step) =>
    isOf(step, 'cancel_bet_offer') && countNewly(step, ({ offerStatus }) => offerStatus === 'canceled') > 1,
  'offers left for the worker to cancel': (step) =>
    step.wagers.some(({ was, is }) => is.pendingCancels > was.pendingCancels),
  'wager decided while offers are left to cancel': (step) =>
    step.wagers.some(({ was, is }) => was.pendingCancels > 0 && !isDecided(was.outcome) && isDecided(is.outcome)),
  'offers left to cancel, all canceled': (step) =>
    step.wagers.some(({ was, is }) => was.pendingCancels > 0 && is.pendingCancels === 0),
  'offer expired': (step) => countNewly(step, (bet) => !isMatched(bet) && bet.offerStatus === 'expired') > 0,
  'expired offer open again': (step) => countNewly(step, (bet) => bet.offerStatus === 'requesting') > 0,
};

const settlements: Readonly<Record<string, Condition>> = {
  'bet settled': (step) => countNewly(step, isSettled) > 0,
  'bet un-settled': (step) => countNewly(step, (bet) => isMatched(bet) && !isSettled(bet)) > 0 && !takesOffers(step),
  'bet settled again': (step) => step.bets.some(({ was, is }) => isSettledAgain(was, is)),
  'bet settled against its wager': (step) =>
    countNewly(step, (bet, picture) => isSettled(bet) && bet.settledOutcome !== outcomeOf(picture, bet)) > 0,
  'matched bet expired by an override': (step) =>
    countNewly(step, (bet) => isMatched(bet) && bet.offerStatus === 'expired') > 0,
  'a half that had to be rounded': (step) =>
    countNewly(step, (bet) => bet.settledOutcome === 'half-loss' && (bet.effectiveAmount ?? 0n) % 2n === 1n) > 0,
  'winnings cut to the decimals of the account': (step) => countNewly(step, (bet) => isSettled(bet) && isCut(bet)) > 0,
  'inactive bet of a decided wager': (step) =>
    countNewly(step, (bet, picture) => !bet.isActive && isMatched(bet) && isDecided(outcomeOf(picture, bet))) > 0,
  'wager half settled': (step) => step.wagers.some(({ was, is }) => !was.isSettling && is.isSettling),
  'wager forced while half settled': (step) =>
    step.wagers.some(({ was, is }) => was.isSettling && was.outcome !== is.outcome),
};

const times: Readonly<Record<string, Condition>> = {
  'refused for a suspended wager': (step) => isRefused(step, /Wager is suspended/),
  'refused for a closed wager': (step) => isRefused(step, /Wager is closed/),
  'wager closed by its time': (step) =>
    isOf(step, 'run_clock') && step.wagers.some(({ was, is }) => was.status !== is.status),
  'offer expired by its time': (step) => countNewly(step, ({ timedOut }) => timedOut) > 0,
  'bets voided by their decision': (step) =>
    decidesWager(step) && countNewly(step, ({ overrideOutcome }) => overrideOutcome === 'void') > 0,
  'bets voided by the worker': (step) =>
    isOf(step, 'settle_chunk') && countNewly(step, ({ overrideOutcome }) => overrideOutcome === 'void') > 0,
  'an override replaced by a void': (step) =>
    step.bets.some(({ was, is }) => decidesWager(step) && was.overrideOutcome !== null && becameVoid(was, is)),
  'refused for a bet that is to be voided': (step) => isRefused(step, /is voiding the bet/),
  'refused for voids without an outcome': (step) => isRefused(step, /void_matched_after/),
  'offers canceled by a timer': (step) =>
    isOf(step, 'fire_timer') && countNewly(step, ({ offerStatus }) => offerStatus === 'canceled') > 0,
  'offers left to cancel by a timer': (step) =>
    isOf(step, 'fire_timer') && step.wagers.some(({ was, is }) => is.pendingCancels > was.pendingCancels),
  'a suspension by a change request taken over': (step) =>
    isOf(step, 'suspend_wager') &&
    step.wagers.some(({ was, is }) => was.revision === is.revision && was.statusReason !== is.statusReason),
  'offers left to cancel by a suspension': (step) =>
    isOf(step, 'suspend_wager') && step.wagers.some(({ was, is }) => is.pendingCancels > was.pendingCancels),
};

const situations: Readonly<Record<string, Condition>> = {
  'batch done': ({ task, verdict }) => task.kind === 'batch' && verdict.isDone,
  ...refusals,
  ...offers,
  ...settlements,
  ...times,
};

export type SituationCounts = Map<string, number>;

/** A count of 0 for every situation. */
export const noSituations = (): SituationCounts => {
  const ofOperations = operationTypes.flatMap((type) => [`${type} done`, `${type} refused`]);
  return new Map([...ofOperations, ...Object.keys(situations)].map((name) => [name, 0]));
};

export function countSituations(counts: SituationCounts, played: PlayedStep): void {
  const { task, verdict } = played;
  const step = compareStep(played);
  const names = Object.keys(situations).filter((name) => situations[name]?.(step));
  if (task.kind === 'single') names.push(`${task.operation.type} ${verdict.isDone ? 'done' : 'refused'}`);
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

const compareStep = (played: PlayedStep): ComparedStep => ({
  ...played,
  bets: compareItems(played.before.bets, played.after.bets),
  users: compareItems(played.before.users, played.after.users),
  wagers: compareItems(played.before.wagers, played.after.wagers),
});

/** Empty after a refused step: the second ledger then returns the same picture. */
const compareItems = <Item>(before: readonly Item[], after: readonly Item[]): readonly BeforeAfter<Item>[] =>
  before === after
    ? []
    : before.flatMap((was, index) => {
        const is = after[index];
        return is === undefined ? [] : [{ was, is }];
      });

const isRefused = ({ verdict }: ComparedStep, text: RegExp): boolean => !verdict.isDone && text.test(verdict.text);

const isOf = ({ task, verdict }: ComparedStep, type: Operation['type']): boolean =>
  task.kind === 'single' && task.operation.type === type && verdict.isDone;

/** A batch may match a bet and settle it as well; this does not tell such steps apart. */
const takesOffers = (step: ComparedStep): boolean => countNewly(step, isMatched) > 0;

/** The number of bets for which the condition holds after the step and did not hold before it. */
const countNewly = (
  { bets, before, after }: ComparedStep,
  holds: (bet: BetPicture, picture: Picture) => boolean,
): number => bets.filter(({ was, is }) => holds(is, after) && !holds(was, before)).length;

const decidesWager = (step: ComparedStep): boolean =>
  isOf(step, 'update_wager_outcome') || isOf(step, 'force_wager_outcome');
const becameVoid = (was: BetPicture, is: BetPicture): boolean =>
  was.overrideOutcome !== 'void' && is.overrideOutcome === 'void';

const isMatched = (bet: BetPicture): boolean => bet.acceptingUserId !== null;
const isSettled = (bet: BetPicture): boolean => bet.settledOutcome !== null;
const isPartlyTaken = (bet: BetPicture): boolean => isMatched(bet) && bet.effectiveAmount !== bet.requestingAmount;
/** What was paid is half a millionth or more below the exact winnings: the nearest millionth never is. */
const isCut = ({ effectiveAmount, requestingOdds, settledOutcome, paidToRequester }: BetPicture): boolean => {
  const amount = effectiveAmount ?? 0n;
  const winnings = amount * (requestingOdds - 1_000_000n);
  const doubled = { win: 2n * winnings, 'half-win': winnings, 'half-loss': amount * 1_000_000n };
  const paid = paidToRequester < 0n ? -paidToRequester : paidToRequester;
  const exact = doubled[settledOutcome as keyof typeof doubled] ?? 0n;
  return exact - paid * 2_000_000n >= 1_000_000n;
};
const isSettledAgain = (was: BetPicture, is: BetPicture): boolean =>
  isSettled(was) && isSettled(is) && was.settledOutcome !== is.settledOutcome;
const worth = ({ balance, exposure }: UserPicture): bigint => balance - exposure;
const owes = (user: UserPicture): boolean => worth(user) < 0n;
const goesIntoDebt = (was: UserPicture, is: UserPicture): boolean => owes(is) && is.exposure > was.exposure;

const acceptorsIn = ({ bets, users }: ComparedStep): readonly BeforeAfter<UserPicture>[] => {
  const ids = bets.filter(({ was, is }) => isMatched(is) && !isMatched(was)).map(({ is }) => is.acceptingUserId);
  return users.filter(({ is }) => ids.includes(is.id));
};

const outcomeOf = ({ wagers }: Picture, bet: BetPicture): Outcome | undefined =>
  wagers.find(({ id }) => id === bet.wagerId)?.outcome;
