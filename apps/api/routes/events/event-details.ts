import { z } from 'zod';
import { type Micros, numberFromMicros, type OddsMicros } from '#core/money.js';
import type { LogEvent } from '#reads/event.js';
import { count, decimal, id, text } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';

// The parts of events that are about something else than a bet.

const wager = z.strictObject({
  id: id('Its id.'),
  reference: text('The wager, as the business calls it.'),
  outcome: outcome.optional().meta({ description: 'What it is since; only where the event is about it.' }),
});

const canceling = z.strictObject({
  user_id: id('Whose open offers on the wager.'),
  minimum_odds: decimal('Of those offers; null: any.').nullable(),
  maximum_odds: decimal('Of those offers; null: any.').nullable(),
  up_to: z
    .strictObject({ queue_place: id('The bet whose place it has.'), bet_id: id('The bet.') })
    .meta({ description: 'The last of those offers, in the order of the queue.' }),
});

const free = (description: string) => z.looseObject({}).nullable().meta({ description });

const user = z.strictObject({
  id: id('Its id.'),
  reference: text('What the business calls the user.').optional(),
  name: text('The name.').optional(),
  preferences: free('The preferences.').optional(),
  meta: free('The free data of the business.').optional(),
});

const account = z.strictObject({
  name: text('The name of the business.').optional(),
  preferences: free('The preferences.').optional(),
  role: text('The role.').optional(),
  status: text('The status.').optional(),
});

const repaired = z.array(
  z.strictObject({
    figure: z.enum(['balance', 'exposure', 'win', 'loss', 'offered']).meta({ description: 'Which figure.' }),
    wager_id: id('Of a position, its wager.').nullable(),
    stored: decimal('What it was.'),
    recomputed: decimal('What it is since.'),
  }),
);

const opened = z.strictObject({
  users: count('How many users there were.'),
  wagers: count('How many wagers.'),
  bets: count('How many bets.'),
  transactions: count('How many transactions.'),
});

export const detailFields = {
  wager: wager.optional().meta({ description: 'The wager that it is about, or that the bet is on.' }),
  canceling: canceling.optional().meta({ description: 'The offers that are canceled from now on; each follows.' }),
  user: user.optional().meta({ description: 'The user that it is about, as it is since.' }),
  account: account.optional().meta({ description: 'What changed of the account, as it is since.' }),
  repaired: repaired.optional().meta({ description: 'Figures of the user that did not agree with its bets.' }),
  opened: opened.optional().meta({ description: 'What there was before the log, and is not in it.' }),
};

type Details = { readonly [Name in keyof typeof detailFields]?: z.output<(typeof detailFields)[Name]> };

interface StoredCanceling {
  readonly user_id: number;
  readonly minimum_odds: number | null;
  readonly maximum_odds: number | null;
  readonly queue_place: number;
  readonly bet_id: number;
}

interface StoredFigure {
  readonly figure: 'balance' | 'exposure' | 'win' | 'loss' | 'offered';
  readonly wager_id: number | null;
  readonly stored: string;
  readonly recomputed: string;
}

const oddsOf = (stored: number | null) =>
  stored === null ? null : numberFromMicros(BigInt(stored) as Micros | OddsMicros);

const presentCanceling = (stored: StoredCanceling): z.output<typeof canceling> => ({
  user_id: stored.user_id,
  minimum_odds: oddsOf(stored.minimum_odds),
  maximum_odds: oddsOf(stored.maximum_odds),
  up_to: { queue_place: stored.queue_place, bet_id: stored.bet_id },
});

const presentFigure = ({ figure, wager_id, stored, recomputed }: StoredFigure) => ({
  ...{ figure, wager_id, stored: numberFromMicros(BigInt(stored) as Micros) },
  recomputed: numberFromMicros(BigInt(recomputed) as Micros),
});

function wagerOf({ bet, wager: found, extra }: LogEvent): Details {
  if (bet !== undefined) return { wager: { id: Number(bet.wagerId), reference: bet.wagerReference } };
  if (found === undefined) return {};
  const shown = { id: Number(found.id), reference: found.reference };
  if (extra.canceling !== undefined) {
    return { wager: shown, canceling: presentCanceling(extra.canceling as StoredCanceling) };
  }
  return { wager: extra.outcome === undefined ? shown : ({ ...shown, outcome: extra.outcome } as typeof shown) };
}

export function presentDetails(event: LogEvent): Details {
  const { type, ref, extra } = event;
  if (type === 'account.updated') return { account: extra };
  if (type.startsWith('user.')) return { user: { id: Number(ref), ...extra } };
  if (type === 'operator.repaired') {
    return { user: { id: Number(ref) }, repaired: (extra.figures as StoredFigure[]).map(presentFigure) };
  }
  if (type !== 'log.opened') return wagerOf(event);
  const { users, wagers, bets, transactions } = extra as Record<string, number>;
  return { opened: { users, wagers, bets, transactions } as z.output<typeof opened> };
}
