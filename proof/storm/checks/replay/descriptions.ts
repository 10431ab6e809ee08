import { eventKinds, type StepKind, stepKinds } from '#core/records.js';
import type { BetFacts } from '#proof/second-ledger/facts.js';
import type { LoggedEvent, StoredStep } from './stored-log.js';

/** How the description of a step begins whose first event is this. */
const beginnings: Readonly<Record<Exclude<StepKind, 'offer.made'>, RegExp>> = {
  'offer.matched': /^Offer accepted/,
  'offer.canceled': /^Offer canceled/,
  'offer.expired': /^Offer expired/,
  'offer.reopened': /^Offer open again/,
  'bet.settled': /^Bet settled: /,
  'bet.unsettled': /^Settlement undone: /,
  'bet.overridden': /^(Outcome overridden|Override forced|Override removed)/,
  'bet.activated': /^Bet set active/,
  'bet.deactivated': /^Bet set inactive/,
};

const BY_ADMIN = /^(.*?)(?: by admin \d+ \(admin@storm\.example\): (.*))?$/s;

export const isStep = ({ kind }: LoggedEvent): boolean =>
  eventKinds[kind] >= stepKinds.first && eventKinds[kind] <= stepKinds.last;

export interface Described {
  readonly events: readonly LoggedEvent[];
  readonly steps: ReadonlyMap<string, StoredStep>;
  /** Of the second ledger, after the steps. */
  readonly bets: readonly BetFacts[];
  /** Why an admin can have taken the steps. */
  readonly reasons: ReadonlySet<string | undefined>;
}

/** The steps of an operation whose descriptions do not say what happened, or why. */
export function wrongDescriptions({ events, steps, bets, reasons }: Described): string[] {
  let last: StoredStep | undefined;
  return events.filter(isStep).flatMap(({ kind, ref }) => {
    const step = steps.get(ref);
    if (step === undefined || step === last) return [];
    const [, text = '', reason] = BY_ADMIN.exec(step.description) ?? [];
    const isRight =
      kind === 'offer.made'
        ? text === textOfOffer(step, last, bets)
        : beginnings[kind as keyof typeof beginnings].test(text);
    last = step;
    const isGiven = reason === undefined || reasons.has(reason);
    return isRight && isGiven ? [] : [`${kind} of bet ${step.bet} says "${step.description}"`];
  });
}

/** The rest of an offer follows the step that left it. */
function textOfOffer({ bet }: StoredStep, before: StoredStep | undefined, bets: readonly BetFacts[]): string {
  const made = bets.find(({ id }) => String(id) === bet);
  if (made === undefined || made.queuePlace === made.id) return 'Offer made';
  const origin = bets.find(({ id }) => String(id) === before?.bet);
  return `Offer for the rest of ${origin?.isCanceled ? 'canceled' : 'accepted'} bet ${before?.bet}`;
}
