import type { Operation } from '#core/operation.js';
import type { Outcome } from '#core/outcome.js';
import {
  type BetPicture,
  isDecided,
  type Picture,
  type UserPicture,
  type WagerPicture,
} from '#proof/second-ledger/recompute.js';
import type { Scene } from './play.js';

/*
 * What histories are made for: each kind of operation done and refused, and the rarer situations. A run counts in how
 * many steps they arose, and a test holds that none is missing.
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
  'force_wager_outcome',
  'set_bet_active',
  'force_bet_override',
] as const satisfies readonly Operation['type'][];

/** A scene with the rows that were there before it, as they were and as they are. */
interface Look extends Scene {
  readonly bets: readonly Pair<BetPicture>[];
  readonly users: readonly Pair<UserPicture>[];
  readonly wagers: readonly Pair<WagerPicture>[];
}
interface Pair<Row> {
  readonly was: Row;
  readonly is: Row;
}

type IsIn = (look: Look) => boolean;

const refusals: Readonly<Record<string, IsIn>> = {
  'batch refused for one of its operations': (look) => look.act.kind === 'batch' && isRefused(look, /^operation '/),
  'batch refused for a repeated id': (look) => isRefused(look, /must be unique within a batch/),
  'refused for lack of money': (look) => isRefused(look, /would cause negative effective balance/),
  'refused for a figure that is too large': (look) => isRefused(look, /must not be greater|may be greater/),
  'refused for an allow-list': (look) => isRefused(look, /not allowed to accept/),
};

const offers: Readonly<Record<string, IsIn>> = {
  'offer taken in part': (look) => begin(look, isPartlyTaken) > 0,
  'several offers taken at once': (look) => isOf(look, 'accept_bet_offer') && begin(look, isMatched) > 1,
  'offer of odds 1 taken': (look) => begin(look, (bet) => bet.effectiveOdds === 1_000_000n) > 0,
  'acceptance that frees exposure': (look) =>
    isOf(look, 'accept_bet_offer') && look.users.some(({ was, is }) => is.exposure < was.exposure),
  'a user goes into debt': (look) => look.users.some(({ was, is }) => goesIntoDebt(was, is)),
  'acceptance that lowers nothing, by a user in debt': (look) =>
    isOf(look, 'accept_bet_offer') && acceptorsIn(look).some(({ was, is }) => owes(is) && worth(is) >= worth(was)),
  'offer canceled with a rest': (look) =>
    isOf(look, 'cancel_bet_offer') && look.after.bets.length > look.before.bets.length,
  'several offers canceled at once': (look) =>
    isOf(look, 'cancel_bet_offer') && begin(look, ({ offerStatus }) => offerStatus === 'canceled') > 1,
  'offer expired': (look) => begin(look, (bet) => !isMatched(bet) && bet.offerStatus === 'expired') > 0,
  'expired offer open again': (look) => begin(look, (bet) => bet.offerStatus === 'requesting') > 0,
};

const settlements: Readonly<Record<string, IsIn>> = {
  'bet settled': (look) => begin(look, isSettled) > 0,
  'bet un-settled': (look) => begin(look, (bet) => isMatched(bet) && !isSettled(bet)) > 0 && !takesOffers(look),
  'bet settled anew': (look) => look.bets.some(({ was, is }) => isSettledAnew(was, is)),
  'bet settled against its wager': (look) =>
    begin(look, (bet, picture) => isSettled(bet) && bet.settledOutcome !== outcomeOf(picture, bet)) > 0,
  'matched bet expired by an override': (look) =>
    begin(look, (bet) => isMatched(bet) && bet.offerStatus === 'expired') > 0,
  'a half that had to be rounded': (look) =>
    begin(look, (bet) => bet.settledOutcome === 'half-loss' && (bet.effectiveAmount ?? 0n) % 2n === 1n) > 0,
  'inactive bet of a decided wager': (look) =>
    begin(look, (bet, picture) => !bet.isActive && isMatched(bet) && isDecided(outcomeOf(picture, bet))) > 0,
  'wager half settled': (look) => look.wagers.some(({ was, is }) => !was.isSettling && is.isSettling),
  'wager forced while half settled': (look) =>
    look.wagers.some(({ was, is }) => was.isSettling && was.outcome !== is.outcome),
};

const situations: Readonly<Record<string, IsIn>> = {
  'batch done': ({ act, verdict }) => act.kind === 'batch' && verdict.isDone,
  ...refusals,
  ...offers,
  ...settlements,
};

export type Counts = Map<string, number>;

/** Every situation, at 0. */
export const noCounts = (): Counts => {
  const ofOperations = operationTypes.flatMap((type) => [`${type} done`, `${type} refused`]);
  return new Map([...ofOperations, ...Object.keys(situations)].map((name) => [name, 0]));
};

export function count(counts: Counts, scene: Scene): void {
  const { act, verdict } = scene;
  const look = lookAt(scene);
  const names = Object.keys(situations).filter((name) => situations[name]?.(look));
  if (act.kind === 'single') names.push(`${act.operation.type} ${verdict.isDone ? 'done' : 'refused'}`);
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

const lookAt = (scene: Scene): Look => ({
  ...scene,
  bets: pairsOf(scene.before.bets, scene.after.bets),
  users: pairsOf(scene.before.users, scene.after.users),
  wagers: pairsOf(scene.before.wagers, scene.after.wagers),
});

/** None where nothing was done. */
const pairsOf = <Row>(before: readonly Row[], after: readonly Row[]): readonly Pair<Row>[] =>
  before === after
    ? []
    : before.flatMap((was, index) => {
        const is = after[index];
        return is === undefined ? [] : [{ was, is }];
      });

const isRefused = ({ verdict }: Look, text: RegExp): boolean => !verdict.isDone && text.test(verdict.text);

const isOf = ({ act, verdict }: Look, type: Operation['type']): boolean =>
  act.kind === 'single' && act.operation.type === type && verdict.isDone;

/** A batch may match a bet and do more with it: not looked at. */
const takesOffers = (look: Look): boolean => begin(look, isMatched) > 0;

/** For how many bets something begins to be so. */
const begin = ({ bets, before, after }: Look, isSo: (bet: BetPicture, picture: Picture) => boolean): number =>
  bets.filter(({ was, is }) => isSo(is, after) && !isSo(was, before)).length;

const isMatched = (bet: BetPicture): boolean => bet.acceptingUserId !== null;
const isSettled = (bet: BetPicture): boolean => bet.settledOutcome !== null;
const isPartlyTaken = (bet: BetPicture): boolean => isMatched(bet) && bet.effectiveAmount !== bet.requestingAmount;
const isSettledAnew = (was: BetPicture, is: BetPicture): boolean =>
  isSettled(was) && isSettled(is) && was.settledOutcome !== is.settledOutcome;
const worth = ({ balance, exposure }: UserPicture): bigint => balance - exposure;
const owes = (user: UserPicture): boolean => worth(user) < 0n;
const goesIntoDebt = (was: UserPicture, is: UserPicture): boolean => owes(is) && is.exposure > was.exposure;

const acceptorsIn = ({ bets, users }: Look): readonly Pair<UserPicture>[] => {
  const ids = bets.filter(({ was, is }) => isMatched(is) && !isMatched(was)).map(({ is }) => is.acceptingUserId);
  return users.filter(({ is }) => ids.includes(is.id));
};

const outcomeOf = ({ wagers }: Picture, bet: BetPicture): Outcome | undefined =>
  wagers.find(({ id }) => id === bet.wagerId)?.outcome;
