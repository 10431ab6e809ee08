import { asMicros, type OddsMicros } from '#core/money.js';
import type { UserIdentifier } from '#core/needs.js';
import type { Operation } from '#core/operation.js';
import { FIRST_WAGER_ID } from '#proof/second-ledger/facts.js';
import type { BetPicture, Picture } from '#proof/second-ledger/picture.js';
import type { BetName, SingleStep, StartingAccount, Step, UserName } from './history.js';
import type { Task } from './task.js';

const admin = { adminId: 9n, adminEmail: 'ops@example.com', description: 'as agreed' };
const UNKNOWN_ID = 1_000_000n;
/** The API takes no more. */
const MOST_SECONDS = 34_560_000;
const FIRST_TIME = 1_700_000_000_000_000n;
/** A second passes from each step to the next. */
const STEP = 1_000_000n;

export const timeOfStep = (index: number): bigint => FIRST_TIME + BigInt(index) * STEP;

export const userIdOf = (index: number): bigint => BigInt(index + 1);
export const userReferenceOf = (index: number): string => `u${index + 1}`;
const wagerReferenceOf = (index: number): string => `w${index}`;

/** Turns the step into a task: finds the users and bets that the step means in the ledger as it is now. */
export function taskOfStep(
  step: Step,
  { account, picture, now }: { readonly account: StartingAccount; readonly picture: Picture; readonly now: bigint },
): Task {
  const names = new NameResolver(account, picture, now);
  if (step.do !== 'batch') return { now, kind: 'single', operation: operationOf(step, names) };
  const items = step.steps.map((single, index) => ({
    operationId: step.isIdRepeated ? 'x' : `x${index + 1}`,
    operation: operationOf(single, names),
  }));
  return { now, kind: 'batch', items };
}

class NameResolver {
  readonly #userCount: number;
  readonly #picture: Picture;

  constructor(
    account: StartingAccount,
    picture: Picture,
    private readonly now: bigint,
  ) {
    this.#userCount = account.users.length;
    this.#picture = picture;
  }

  /** The index counts from the first user or, when a bet is given, from its requester. */
  user({ user, by }: UserName, bet?: BetPicture): UserIdentifier {
    const index = this.userIndex(user + (bet === undefined ? 0 : Number(bet.requestingUserId) - 1));
    switch (by) {
      case 'id':
        return { id: userIdOf(index) };
      case 'reference':
        return { reference: userReferenceOf(index) };
      case 'both':
        return { id: userIdOf(index), reference: userReferenceOf(index) };
      case 'two':
        return { id: userIdOf(index), reference: userReferenceOf(this.userIndex(index + 1)) };
      case 'unknown':
        return { id: UNKNOWN_ID };
      case 'nothing':
        return {};
    }
  }

  /** So many steps from now. */
  timeIn(steps: number): bigint {
    return this.now + BigInt(steps) * STEP;
  }

  userIndex(index: number): number {
    return index % this.#userCount;
  }

  bet({ among, index }: BetName): BetPicture | undefined {
    if (among === 'unknown') return undefined;
    const all = this.#picture.bets;
    const meant = all.filter((bet) => isAmong(bet, among));
    const bets = meant.length > 0 ? meant : all;
    return bets[index % bets.length];
  }

  wagerReferenceOf(bet: BetPicture | undefined): string {
    return this.#picture.wagers.find(({ id }) => id === bet?.wagerId)?.reference ?? 'unknown';
  }
}

const isAmong = (bet: BetPicture, among: BetName['among']): boolean => {
  switch (among) {
    case 'open':
      return bet.offerStatus === 'requesting' && bet.isActive;
    case 'settled':
      return bet.settledOutcome !== null;
    case 'inactive':
      return !bet.isActive;
    case 'accepted':
    case 'expired':
      return bet.offerStatus === among;
    default:
      return true;
  }
};

const micros = (value: number) => asMicros(BigInt(value));
const odds = (value: number): OddsMicros => BigInt(value) as OddsMicros;

function operationOf(step: SingleStep, names: NameResolver): Operation {
  switch (step.do) {
    case 'offer':
      return offerOf(step, names);
    case 'accept':
      return acceptanceOf(step, names);
    case 'cancel':
    case 'cancel-one':
      return cancellationOf(step, names);
    case 'decide': {
      const { wager, ...decision } = step;
      return { type: 'update_wager_outcome', reference: wagerReferenceOf(wager), ...decisionOf(decision, names) };
    }
    case 'force': {
      const { wager, ...decision } = step;
      const wagerReference = wagerReferenceOf(wager);
      return { type: 'force_wager_outcome', wagerReference, ...decisionOf(decision, names), action: admin };
    }
    case 'cancel-chunk':
      return { type: 'cancel_chunk', wagerId: FIRST_WAGER_ID + BigInt(step.wager), bound: step.bound };
    case 'chunk':
      return { type: 'settle_chunk', wagerId: FIRST_WAGER_ID + BigInt(step.wager), bound: step.bound };
    case 'override':
      return { type: 'override_bet_outcome', betId: idOf(names.bet(step.bet)), overrideOutcome: step.outcome };
    case 'force-override':
      return {
        type: 'force_bet_override',
        betId: idOf(names.bet(step.bet)),
        overrideOutcome: step.outcome,
        action: admin,
      };
    case 'set-active':
      return { type: 'set_bet_active', betId: idOf(names.bet(step.bet)), isActive: step.isActive, action: admin };
    case 'suspend': {
      const { reason, cancelsOffers: cancelOffers } = step;
      return { type: 'suspend_wager', wagerReference: wagerReferenceOf(step.wager), reason, cancelOffers };
    }
    case 'resume':
      return { type: 'resume_wager', wagerReference: wagerReferenceOf(step.wager) };
    case 'close':
      return { type: 'close_wager', wagerReference: wagerReferenceOf(step.wager), reason: step.reason };
    case 'schedule':
      return scheduleOf(step, names);
    case 'clock':
      return { type: 'run_clock', wagerId: FIRST_WAGER_ID + BigInt(step.wager), bound: step.bound };
    case 'timer': {
      const userId = step.user === null ? null : userIdOf(names.userIndex(step.user));
      const wagerId = FIRST_WAGER_ID + BigInt(step.wager);
      return { type: 'fire_timer', wagerId, userId, upTo: idOf(names.bet(step.last)), bound: step.bound };
    }
    case 'fund':
      return { type: 'fund_user', user: names.user(step.who), amount: micros(step.amount), description: 'Funded' };
    case 'withdraw':
      return { type: 'withdraw', user: names.user(step.who), amount: micros(step.amount), description: 'Withdrawn' };
  }
}

const idOf = (bet: BetPicture | undefined): bigint => bet?.id ?? UNKNOWN_ID;

type StepOf<Kind extends SingleStep['do']> = Extract<SingleStep, { do: Kind }>;

function scheduleOf({ wager, inSteps, event, startsInSteps }: StepOf<'schedule'>, names: NameResolver): Operation {
  const timeIn = (steps: number | null | undefined) => (typeof steps === 'number' ? names.timeIn(steps) : steps);
  const [closesAt, startsAt] = [timeIn(inSteps), timeIn(startsInSteps)];
  return { type: 'schedule_wager', wagerReference: wagerReferenceOf(wager), closesAt, event, startsAt };
}

function decisionOf(step: Pick<StepOf<'decide' | 'force'>, 'outcome' | 'bound' | 'voidsSteps'>, names: NameResolver) {
  const { outcome, bound, voidsSteps } = step;
  return { outcome, bound, voidMatchedAfter: voidsSteps === undefined ? null : names.timeIn(-voidsSteps) };
}

function endOf({ endsInSteps, isEndGivenInSeconds }: StepOf<'offer'>, names: NameResolver) {
  if (endsInSteps === undefined) return null;
  return isEndGivenInSeconds && endsInSteps > 0 && endsInSteps <= MOST_SECONDS
    ? { inSeconds: endsInSteps }
    : { at: names.timeIn(endsInSteps) };
}

function offerOf(step: StepOf<'offer'>, names: NameResolver): Operation {
  const allowed = step.allowed.map((user) => (user < 0 ? user : names.userIndex(user)));
  return {
    type: 'make_bet_offer',
    wagerReference: wagerReferenceOf(step.wager),
    requestingUser: names.user(step.who),
    requestingOdds: odds(step.odds),
    requestingAmount: micros(step.amount),
    allowedAcceptorIds: step.isAllowedById ? allowed.map(userIdOf) : [],
    allowedAcceptorReferences: step.isAllowedById ? [] : allowed.map(userReferenceOf),
    ends: endOf(step, names),
    cancelOnSuspend: step.endsOnSuspend ?? false,
    meta: null,
  };
}

function acceptanceOf({ who, of, bet: name, where, ...step }: StepOf<'accept'>, names: NameResolver): Operation {
  const bet = names.bet(name);
  return {
    type: 'accept_bet_offer',
    wagerReference: where === 'wager' ? names.wagerReferenceOf(bet) : null,
    betId: where === 'bet' ? idOf(bet) : null,
    acceptingUser: names.user(who, bet),
    requestingUser: of === null ? null : names.user(of, bet),
    maximumOdds: odds(step.odds),
    acceptingAmount: micros(step.amount),
    bound: step.bound,
  };
}

function cancellationOf(step: StepOf<'cancel' | 'cancel-one'>, names: NameResolver): Operation {
  const shared = {
    type: 'cancel_bet_offer',
    cancelAmount: step.amount === null ? null : micros(step.amount),
    cancelAll: step.isAll,
  } as const;
  if (step.do === 'cancel-one') {
    const bet = names.bet(step.bet);
    const meant = { requestingUser: names.user(step.who, bet), wagerReferences: [], betId: idOf(bet) };
    return { ...shared, ...meant, minimumOdds: null, maximumOdds: null, bound: 1 };
  }
  return {
    ...shared,
    requestingUser: names.user(step.who),
    wagerReferences: step.wagers.map(wagerReferenceOf),
    betId: null,
    minimumOdds: step.minimumOdds === null ? null : odds(step.minimumOdds),
    maximumOdds: step.maximumOdds === null ? null : odds(step.maximumOdds),
    bound: step.bound,
  };
}
