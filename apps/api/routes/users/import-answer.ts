import { z } from 'zod';
import type { GivenFunds, ImportedUser, TriedLine } from '#accounts/users/import-users.js';
import { numberFromMicros } from '#core/money.js';
import { answerOf, shortened } from '#http/errors.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { count, decimal, id, moment, text } from '../../fields/answers.js';
import { errorCode } from '../../fields/enums.js';
import { transactionExample } from '../transactions/transaction.js';
import { createdUser, presentCreatedUser } from './create.js';

/** Of one line: the answer is not much larger than the body. */
const MAX_FAULTS = 20;

const line = count('Which line of the body, counted from 1. Blank lines count, and get no answer.');

const givenFunds = z
  .strictObject({
    is_new: z.boolean().meta({ description: 'False: an earlier request has given the money.' }),
    id: id('Of the transaction.'),
    reference: text('Of the transaction.'),
    own_reference: text('What the business calls the transaction.'),
    amount: decimal('What the user got.'),
    balance_after: decimal('The balance of the user after the transaction.'),
    created_at: moment('When the balance moved.'),
  })
  .meta({ id: 'GivenFunds' });

const imported = z
  .strictObject({
    line,
    status: z.int().meta({ description: '201: the line created the user or gave the money. 200: both were there.' }),
    is_new: z.boolean().meta({ description: 'False: the user was there, and stays as it is.' }),
    user: createdUser,
    funds: givenFunds.nullable().meta({ description: 'Null: the line has none.' }),
  })
  .meta({ id: 'ImportedUser', description: 'A line that was done.' });

const refusedLine = z
  .strictObject({
    line,
    status: z.int().min(400).max(599).meta({
      description:
        '401, 403: the credential ended meanwhile. 503: the time was up before this line, or a fault came; send it again.',
    }),
    code: errorCode,
    error: text('Why not, in a sentence.'),
    message: z
      .array(z.string())
      .optional()
      .meta({ description: `The faults of a malformed line, up to ${MAX_FAULTS}.` }),
  })
  .meta({
    id: 'RefusedLine',
    description: 'A line that was refused: it changed nothing.',
    examples: [
      { line: 2, status: 409, code: 'user-reference-taken', error: 'A user with this reference already exists' },
    ],
  });

const { id: transactionId, reference, amount, balance_after, created_at } = transactionExample;
const fundsExample = {
  is_new: true,
  id: transactionId,
  reference,
  own_reference: 'import:ann',
  amount,
  balance_after,
  created_at,
};

const tried = z
  .strictObject({
    line,
    status: z.int().meta({ description: '201: the line would create the user or give money. 200: both are there.' }),
    is_trial: z.literal(true).meta({ description: 'Of a dry run: nothing was done.' }),
  })
  .meta({ id: 'TriedLine', examples: [{ line: 1, status: 201, is_trial: true }] });

export const presentTried = (number: number, { isNew }: TriedLine): z.output<typeof tried> => ({
  line: number,
  status: isNew ? 201 : 200,
  is_trial: true,
});

export const answerLine = z.union([imported, tried, refusedLine]).meta({
  id: 'ImportAnswer',
  description: 'The answer to one line.',
  examples: [
    {
      line: 1,
      status: 201,
      is_new: true,
      user: { id: 12, reference: 'ann', created_at: '2026-01-15T18:33:00.000Z' },
      funds: fundsExample,
    },
  ],
});

const presentFunds = (funds: GivenFunds): z.output<typeof givenFunds> => ({
  is_new: funds.isNew,
  id: Number(funds.id),
  reference: funds.reference,
  own_reference: funds.ownReference,
  amount: numberFromMicros(funds.amount),
  balance_after: numberFromMicros(funds.balanceAfter),
  created_at: funds.createdAt,
});

export const presentImported = (number: number, { isNew, user, funds }: ImportedUser): z.output<typeof imported> => ({
  line: number,
  status: isNew || funds?.isNew ? 201 : 200,
  is_new: isNew,
  user: presentCreatedUser(user),
  funds: funds === undefined ? null : presentFunds(funds),
});

/** Undefined: not the caller's fault. */
export function presentRefused(number: number, error: unknown): z.output<typeof refusedLine> | undefined {
  const answer = answerOf(error);
  if (answer?.code === undefined) return undefined;
  const common = { line: number, status: answer.status, code: answer.code };
  const { message, error: sentence } = answer.body as { message?: unknown; error?: string };
  if (!(error instanceof ValidationError)) return { ...common, error: sentence ?? String(message) };
  return { ...common, error: sentence ?? '', message: shortened(error.faults, MAX_FAULTS) };
}
