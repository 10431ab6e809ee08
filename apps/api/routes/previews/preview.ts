import { z } from 'zod';
import { numberFromMicros, numberFromSum } from '#core/money.js';
import * as fields from '#http/fields.js';
import { LARGEST_USERS, type Preview, type PreviewedUser, type PreviewFigures } from '#previews/preview.js';
import { count, decimal, id, moment, text } from '../../fields/answers.js';

export const previewIdPath = z.object({
  id: fields.idText.meta({ description: 'The id of the preview.', examples: [5] }),
});

const exampleUser = {
  user_id: 1,
  reference: 'ann',
  balance: 100,
  balance_after: -20,
  exposure: 50,
  exposure_after: 0,
};
const example = {
  id: 5,
  state: 'done',
  as_of: '2026-01-15T18:30:00.000Z',
  exact: true,
  revision: 7,
  would_succeed: true,
  refusal: null,
  bets: { settled: 1204, unsettled: 0, expired_offers: 33, reopened_offers: 0, canceled_offers: 0 },
  moved: { credit: 51_234.5, debit: 51_234.5 },
  users: { affected: 611, below_zero: 3 },
  largest: [exampleUser],
};

export const previewedUser = z
  .strictObject({
    user_id: id('The user.'),
    reference: text('The user, as the business calls it.'),
    balance: decimal('Its balance.'),
    balance_after: decimal('Its balance when all is done.'),
    exposure: decimal('Its exposure.'),
    exposure_after: decimal('Its exposure when all is done.'),
  })
  .meta({
    id: 'PreviewedUser',
    description: 'A user whose balance or exposure would change.',
    examples: [exampleUser],
  });

export const donePreview = z
  .strictObject({
    id: id('Its id.'),
    state: z.literal('done'),
    as_of: moment('The moment of all figures.'),
    exact: z.boolean().meta({
      description: 'False until the wager is decided and settled: the figures may change without a decision.',
    }),
    revision: z.int().min(0).meta({
      description:
        'Of the wager: it grows with each decision and correction of the wager or of one of its bets, and with each change of its status or `closes_at`; not with offers. 0 where there is no wager.',
    }),
    would_succeed: z.boolean().meta({ description: 'Whether the operation would be done now.' }),
    refusal: text('The error that the operation would be refused with; null: it would be done.').nullable(),
    bets: z
      .strictObject({
        settled: count('Bets that get an outcome, or another one.'),
        unsettled: count('Bets whose settlement is taken back.'),
        expired_offers: count('Open offers that expire.'),
        reopened_offers: count('Expired offers that are open again.'),
        canceled_offers: count('Offers of a cancel that is still under way.'),
      })
      .meta({ description: 'How many bets and offers change.' }),
    moved: z
      .strictObject({
        credit: decimal('What all users get, net for each bet and user.'),
        debit: decimal('What all users pay: as much.'),
      })
      .meta({ description: 'The money that moves: what a correction takes back and gives is one movement.' }),
    users: z
      .strictObject({
        affected: count('Users whose balance or exposure changes.'),
        below_zero: count('Those of them whose balance is then below zero.'),
      })
      .meta({ description: 'How many users it touches.' }),
    largest: z.array(previewedUser).meta({
      description: `At most ${LARGEST_USERS} users: those below zero first, then those whose balance moves most.`,
    }),
  })
  .meta({ id: 'Preview', description: 'What an operation would move. It is kept for an hour.', examples: [example] });

export const unfinishedPreview = z
  .strictObject({
    id: id('Its id.'),
    state: z.enum(['running', 'failed']).meta({ description: 'A worker computes it, or it could not be computed.' }),
    progress: z.int().min(0).max(100).meta({ description: 'How much is done, in percent.' }),
    failure: text('Why it has failed; null: it has not.').nullable(),
  })
  .meta({
    id: 'UnfinishedPreview',
    description: 'A preview of more than 20,000 bets, which a worker computes.',
    examples: [{ id: 5, state: 'running', progress: 40, failure: null }],
  });

export const presentPreviewedUser = (user: PreviewedUser): z.output<typeof previewedUser> => ({
  user_id: Number(user.userId),
  reference: user.reference,
  balance: numberFromMicros(user.balance),
  balance_after: numberFromMicros(user.balanceAfter),
  exposure: numberFromMicros(user.exposure),
  exposure_after: numberFromMicros(user.exposureAfter),
});

export const presentDone = (
  { id: previewId, largest }: Pick<Preview, 'id' | 'largest'>,
  { bets, moved, ...figures }: PreviewFigures,
): z.output<typeof donePreview> => ({
  id: Number(previewId),
  state: 'done',
  as_of: figures.asOf,
  exact: figures.isExact,
  revision: figures.revision,
  would_succeed: figures.refusal === null,
  refusal: figures.refusal,
  bets: {
    settled: bets.settled,
    unsettled: bets.unsettled,
    expired_offers: bets.expiredOffers,
    reopened_offers: bets.reopenedOffers,
    canceled_offers: bets.canceledOffers,
  },
  moved: { credit: numberFromSum(moved), debit: numberFromSum(moved) },
  users: { affected: figures.usersAffected, below_zero: figures.usersBelowZero },
  largest: largest.map(presentPreviewedUser),
});

export const presentUnfinished = ({
  id: previewId,
  state,
  progress,
  failure,
}: Preview): z.output<typeof unfinishedPreview> => ({
  id: Number(previewId),
  state: state === 'failed' ? 'failed' : 'running',
  progress,
  failure,
});
