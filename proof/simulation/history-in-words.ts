import type { UserIdentifier } from '#core/needs.js';
import type { Operation, OperationOf } from '#core/operation.js';
import { decimalOf } from '#proof/second-ledger/figures.js';
import type { Verdict } from '#proof/second-ledger/second-ledger.js';
import type { History } from './history.js';
import { type PlayedStep, playOnSecondLedger } from './play-history.js';
import { userReferenceOf } from './task-of-step.js';

/** The history as text: each user's balance, then each step with the second ledger's verdict. */
export function historyInWords(history: History): string {
  const steps = [...playOnSecondLedger(history)].map(
    (step, index) => `${`${index + 1}.`.padStart(5)} ${stepInWords(step)}`,
  );
  return [accountInWords(history), ...steps].join('\n');
}

const accountInWords = ({ account }: History): string => {
  const users = account.users.map(({ start, preference }, index) => {
    const mayNot = preference === null ? '' : ` (may ${preference ? '' : 'not '}go negative)`;
    return `${userReferenceOf(index)} has ${decimalOf(BigInt(start))}${mayNot}`;
  });
  const suffix = account.allowNegativeBalance ? '; the account allows negative balances' : '';
  const precision = account.decimals === null ? '' : `; its amounts have ${account.decimals} decimals`;
  return `      ${users.join(', ')}${suffix}${precision}`;
};

const stepInWords = ({ task, verdict }: PlayedStep): string => {
  if (task.kind === 'single') return `${operationInWords(task.operation)}: ${verdictInWords(verdict)}`;
  const items = task.items.map(({ operationId, operation }) => `${operationId} ${operationInWords(operation)}`);
  return `batch (${items.join('; ')}): ${verdictInWords(verdict)}`;
};

const verdictInWords = (verdict: Verdict): string => (verdict.isDone ? 'done' : `refused, "${verdict.text}"`);

const operationInWords = (operation: Operation): string => {
  switch (operation.type) {
    case 'make_bet_offer':
      return offerInWords(operation);
    case 'accept_bet_offer':
      return acceptanceInWords(operation);
    case 'cancel_bet_offer':
      return cancellationInWords(operation);
    case 'update_wager_outcome':
      return `${operation.reference} is decided as ${operation.outcome}${voidsInWords(operation)}${boundInWords(operation.bound)}`;
    case 'force_wager_outcome':
      return `${operation.wagerReference} is forced to ${operation.outcome}${voidsInWords(operation)}${boundInWords(operation.bound)}`;
    case 'cancel_chunk':
      return `wager ${operation.wagerId} has canceling offers canceled${boundInWords(operation.bound)}`;
    case 'settle_chunk':
      return `wager ${operation.wagerId} is settled further${boundInWords(operation.bound)}`;
    case 'override_bet_outcome':
      return `bet ${operation.betId} is overridden as ${operation.overrideOutcome}`;
    case 'force_bet_override':
      return `bet ${operation.betId} has its override forced to ${operation.overrideOutcome ?? 'none'}`;
    case 'set_bet_active':
      return `bet ${operation.betId} is set ${operation.isActive ? 'active' : 'inactive'}`;
    case 'suspend_wager':
      return `${operation.wagerReference} is suspended${operation.cancelOffers ? ', and its offers canceled' : ''}`;
    case 'resume_wager':
      return `${operation.wagerReference} is resumed`;
    case 'close_wager':
      return `${operation.wagerReference} is closed`;
    case 'schedule_wager':
      return `${operation.wagerReference} is to close at ${operation.closesAt ?? 'no time'}, of event ${operation.event} at ${operation.startsAt}`;
    case 'run_clock':
      return `wager ${operation.wagerId} has ended what is due${boundInWords(operation.bound)}`;
    case 'fire_timer': {
      const whose = operation.userId === null ? 'the account' : `user ${operation.userId}`;
      return `the timer of ${whose} fired at ${operation.upTo}: wager ${operation.wagerId}${boundInWords(operation.bound)}`;
    }
    case 'fund_user':
      return `${userInWords(operation.user)} pays in ${decimalOf(operation.amount)}`;
    case 'withdraw':
      return `${userInWords(operation.user)} withdraws ${decimalOf(operation.amount)}`;
  }
};

const voidsInWords = ({ voidMatchedAfter = null }: { readonly voidMatchedAfter?: bigint | null }): string =>
  voidMatchedAfter === null ? '' : `, void from ${voidMatchedAfter} on`;

const offerInWords = (operation: OperationOf<'make_bet_offer'>): string => {
  const { requestingUser, requestingAmount, requestingOdds, wagerReference } = operation;
  const allowed = [...operation.allowedAcceptorIds.map((id) => `user ${id}`), ...operation.allowedAcceptorReferences];
  const terms = `offers ${decimalOf(requestingAmount)} at ${decimalOf(requestingOdds)} on ${wagerReference}`;
  const until =
    operation.ends === null
      ? ''
      : ` until ${'at' in operation.ends ? operation.ends.at : `${operation.ends.inSeconds} s later`}`;
  return `${userInWords(requestingUser)} ${terms}${allowed.length > 0 ? ` to ${allowed.join(', ')} alone` : ''}${until}`;
};

const acceptanceInWords = (operation: OperationOf<'accept_bet_offer'>): string => {
  const { acceptingUser, acceptingAmount, maximumOdds, betId, wagerReference, requestingUser } = operation;
  const what = betId === null ? `${wagerReference ?? 'no wager'}` : `bet ${betId}`;
  const terms = `accepts ${decimalOf(acceptingAmount)} of ${what} at up to ${decimalOf(maximumOdds)}`;
  const from = requestingUser === null ? '' : ` from ${userInWords(requestingUser)}`;
  return `${userInWords(acceptingUser)} ${terms}${from}${boundInWords(operation.bound)}`;
};

const cancellationInWords = (operation: OperationOf<'cancel_bet_offer'>): string => {
  const { requestingUser, wagerReferences, betId, cancelAmount, cancelAll, minimumOdds, maximumOdds } = operation;
  const amount = cancelAmount === null ? 'no amount' : decimalOf(cancelAmount);
  const what = betId === null ? wagerReferences.join(', ') || 'no wager' : `bet ${betId}`;
  const from = minimumOdds === null ? '' : ` from odds ${decimalOf(minimumOdds)}`;
  const upTo = maximumOdds === null ? '' : ` up to odds ${decimalOf(maximumOdds)}`;
  return `${userInWords(requestingUser)} cancels ${cancelAll ? 'all' : amount} of ${what}${from}${upTo}${boundInWords(operation.bound)}`;
};

const userInWords = ({ id, reference }: UserIdentifier): string => {
  const names = [...(id === undefined ? [] : [`user ${id}`]), ...(reference === undefined ? [] : [reference])];
  return names.join(' = ') || 'an unnamed user';
};

/** Empty for the usual bound, which no history reaches. */
const boundInWords = (bound: number): string => (bound < 500 ? `, ${bound} of its bets` : '');
