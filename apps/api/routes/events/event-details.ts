import { z } from 'zod';
import { count, decimal, id, text } from '../../fields/answers.js';
import { balanceState, outcome } from '../../fields/enums.js';

// The parts of events that are about something else than a bet.

const wager = z.strictObject({
  id: id('Its id.'),
  reference: text('The wager, as the business calls it.'),
  outcome: outcome.optional().meta({ description: 'What it is since; only where the event is about it.' }),
  closes_at: text('When it closes; only where the event is about it. Null: at no time.')
    .meta({ format: 'date-time' })
    .nullable()
    .optional(),
  event: text('The label of its event; only where the event is about it. Null: it has none.').nullable().optional(),
  starts_at: text('When that starts; only where the event is about it. Null: no time is set.')
    .meta({ format: 'date-time' })
    .nullable()
    .optional(),
  void_matched_after: text('The decision voids the bets that were matched then or later; left out where it voids none.')
    .meta({ format: 'date-time' })
    .optional(),
});

const canceling = z.strictObject({
  user_id: id('Whose open offers on the wager; null: those of all users.').nullable(),
  minimum_odds: decimal('Of those offers; null: any.').nullable(),
  maximum_odds: decimal('Of those offers; null: any.').nullable(),
  only_on_suspend: z.literal(true).optional().meta({
    description: 'Only offers with the persistence `cancel_on_suspend`; left out otherwise.',
  }),
  up_to: z
    .strictObject({ queue_place: id('The bet whose place it has.'), bet_id: id('The bet.') })
    .meta({ description: 'The last of those offers, in the order of the queue.' }),
});

const free = (description: string) => z.looseObject({}).nullable().meta({ description });

const user = z.strictObject({
  id: id('Its id.'),
  reference: text('What the business calls the user.').optional(),
  name: text('The name.').optional(),
  balance_state: balanceState.optional(),
  preferences: free('The preferences.').optional(),
  meta: free('The free data of the business.').optional(),
});

const account = z.strictObject({
  name: text('The name of the business.').optional(),
  preferences: free('The preferences.').optional(),
  role: text('The role.').optional(),
  status: text('The status.').optional(),
  currency: text('The currency; null: none.').nullable().optional(),
  decimals: z.int().nullable().optional().meta({ description: 'How many its amounts may have; null: it set none.' }),
});

const figures = z.array(
  z.strictObject({
    figure: z.enum(['balance', 'exposure', 'win', 'loss', 'offered']).meta({ description: 'Which figure.' }),
    wager_id: id('Of a position, its wager.').nullable(),
    stored: decimal('What was stored.'),
    recomputed: decimal('What the bets and transactions of the user come to.'),
  }),
);

const webhookEndpoint = z.strictObject({
  id: id('Its id.'),
  url: text('Where it is.').optional(),
  types: z.array(text('A type, or a family of types.')).optional(),
  mode: text('How it gets events.').optional(),
  disabled_reason: text('Why it gets none any more.').optional(),
});

const person = z.strictObject({
  operator_id: id('Its id; null: the API key that came with a sandbox.').nullable(),
  name: text('Its name.'),
});

const changeRequest = z.strictObject({
  id: id('Its id.'),
  operation: text('The type of its operation.'),
  made_by: person.meta({ description: 'Who made it.' }),
  approved_by: person.optional().meta({ description: 'Who gave the first of two approvals.' }),
  decided_by: person.optional().meta({ description: 'Who decided it; left out: nobody, or time.' }),
  reason: text('Why; left out where none was given.').optional(),
  failure: text('Why the ledger refused the operation; only where it has failed.').optional(),
});

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
  disputed: figures.optional().meta({ description: 'Figures of the user that differ, as the check found them.' }),
  differences: figures.optional().meta({
    description:
      'Figures of the user that differed before this correction of its balance. Afterwards the balance is `balance_after`, the others are `recomputed`.',
  }),
  webhook_endpoint: webhookEndpoint.optional().meta({ description: 'The webhook endpoint that it is about.' }),
  change_request: changeRequest.optional().meta({ description: 'The change request that it is about.' }),
  opened: opened.optional().meta({ description: 'What there was before the log, and is not in it.' }),
};

export type DetailName = keyof typeof detailFields;
