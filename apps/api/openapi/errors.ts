import { z } from 'zod';
import { Rejection } from '#core/rejection.js';
import { answerOf, type ErrorAnswer, MAX_FAULTS, Unauthorized } from '#http/errors.js';
import { MAX_LINES } from '#http/json-lines.js';
import { parse } from '#http/request-input.js';
import { refusalOf } from '#ledger/ledger.js';
import { Refusal } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { attemptErrors } from '#webhooks/webhook-endpoint.js';
import type { Endpoint, PossibleRefusal } from '../endpoint.js';
import { pendingRequest } from '../guards/approval.js';
import { KEY_FAULT } from '../idempotency-key.js';
import { movementShown } from '../routes/change-requests/change-request.js';

// The three shapes of errors, and the answer to each refusal: examples come from the error handler itself.

const validationError = z
  .strictObject({
    message: z
      .array(z.string())
      .min(1)
      .meta({
        description: `Every fault, with the path of its field in front; of more than ${MAX_FAULTS} the last line counts the rest.`,
      }),
    error: z.literal('Bad Request'),
    statusCode: z.literal(400),
  })
  .meta({
    id: 'ValidationError',
    description: 'The request is malformed.',
    examples: [
      {
        message: ['requesting_odds must not be less than 1', 'property colour should not exist'],
        error: 'Bad Request',
        statusCode: 400,
      },
    ],
  });

const domainError = z
  .strictObject({
    status: z.int().min(400).max(599).meta({ description: 'The status of the answer.' }),
    error: z.string().meta({ description: 'Why not, in a sentence.' }),
    test_error: z.enum(attemptErrors).optional().meta({
      description: 'Why the receiver did not take the test of `enable`, in the words of attempts.',
    }),
    test_status: z
      .string()
      .optional()
      .meta({ description: 'The status that the receiver answered; only beside `test_error`.' }),
    change_request: pendingRequest
      .optional()
      .meta({ description: 'The change request that waits; only where another one of its target is refused.' }),
    preview: movementShown.optional().meta({
      description: 'What the operation would move now; only where an approval is refused because that has changed.',
    }),
    head: z.string().optional().meta({ description: 'The end of the event log; only where a cursor is unknown.' }),
  })
  .meta({
    id: 'DomainError',
    description: 'A rule says no.',
    examples: [{ status: 404, error: 'User not found' }],
  });

const unauthorizedError = z.strictObject({ message: z.literal('Unauthorized'), statusCode: z.literal(401) }).meta({
  id: 'UnauthorizedError',
  description: 'No credentials, or wrong ones.',
  examples: [{ message: 'Unauthorized', statusCode: 401 }],
});

export const shapes = [validationError, domainError, unauthorizedError];

function errorOf(refusal: PossibleRefusal): Error {
  if (refusal === 'unauthorized') return new Unauthorized();
  return refusal instanceof Rejection ? refusalOf(refusal) : new Refusal(refusal);
}

function answerTo(error: Error): ErrorAnswer {
  const answer = answerOf(error);
  if (answer === undefined) throw new Error(`nothing is answered to ${error.name}`);
  return answer;
}

export interface NamedAnswer extends ErrorAnswer {
  readonly name: string;
}

export const named = (name: string, error: Error): NamedAnswer => ({ name, ...answerTo(error) });

export const refused = (refusal: PossibleRefusal): NamedAnswer =>
  named(refusal instanceof Rejection ? refusal.code : refusal, errorOf(refusal));

/** No id, number, boolean or reference may be this; as a list it is empty. */
const COMMA = ',';

const eachAs = (schema: z.ZodType, value: unknown): Record<string, unknown> =>
  schema instanceof z.ZodObject ? Object.fromEntries(Object.keys(schema.shape).map((name) => [name, value])) : {};

function faultsIn(schema: z.ZodType | undefined, root: string, attempts: readonly unknown[]): ValidationError[] {
  if (schema === undefined) return [];
  return attempts.flatMap((attempt) => {
    try {
      parse(schema, attempt, root);
      return [];
    } catch (error) {
      return error instanceof ValidationError ? [error] : [];
    }
  });
}

/** Every route refuses a parameter that it does not know. */
const UNKNOWN_PARAMETER = new ValidationError(['property colour should not exist']);
export const malformedQuery: NamedAnswer = named('malformed', UNKNOWN_PARAMETER);

const TOO_MANY_LINES = new ValidationError([`body must contain no more than ${MAX_LINES} lines`]);

/** The faults that an endpoint finds in a malformed request. */
export function malformed({ body, lines, query, params }: Endpoint, isKeyed: boolean): NamedAnswer {
  const [found = UNKNOWN_PARAMETER] = [
    ...(lines === undefined ? [] : [TOO_MANY_LINES]),
    ...faultsIn(body, 'body', [{}, { colour: 'red' }]),
    ...faultsIn(query, 'query', [{}, { page: '0' }, query && eachAs(query, COMMA)]),
    ...faultsIn(params, 'path', [params && eachAs(params, COMMA)]),
    ...(isKeyed ? [new ValidationError([KEY_FAULT])] : []),
  ];
  return named('malformed', found);
}
