import { z } from 'zod';
import type { EventKind } from '#core/records.js';
import { decodePosition, type EventPosition } from '#events/event-position.js';
import { typesNamed } from '#events/event-types.js';
import * as fields from '#http/fields.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import type { EventFilter } from '#reads/event.js';
import { accountId, notBoth } from '../../fields/lists.js';

// What the list of events and their stream share.

/** Of a name that is no type. */
const SHOWN_CHARACTERS = 100;

const types = fields
  .listForm(z.string())
  .transform((text, context): ReadonlySet<EventKind> | undefined => {
    const names = text.split(',').filter((name) => name !== '');
    const unknown = names.find((name) => typesNamed(name).length === 0);
    if (unknown === undefined) return names.length === 0 ? undefined : new Set(names.flatMap(typesNamed));
    context.addIssue({
      code: 'custom',
      message: `must name types of events: ${unknown.slice(0, SHOWN_CHARACTERS)} is none`,
      input: text,
    });
    return z.NEVER;
  })
  .optional();

export const eventFilters = {
  types: types.meta({
    description: 'Only of these types, with commas between them. `offer.*` stands for all types that begin so.',
    examples: ['offer.*,bet.settled'],
  }),
  wager_reference: fields.reference.optional().meta({ description: 'Only about this wager and the bets on it.' }),
  user_id: fields.strictIntegerText.pipe(fields.idNumber).transform(BigInt).optional().meta({
    description: 'Only about this user and the bets that it is a party of.',
  }),
  user_reference: fields.reference.optional().meta({
    description: 'Only about this user and the bets that it is a party of. Not together with `user_id`.',
  }),
  bet_id: fields.strictIntegerText.pipe(fields.idNumber).transform(BigInt).optional().meta({
    description: 'Only about this bet.',
  }),
  account_id: accountId,
};

/** The fault of a query that names the user twice. */
export const notBothUsers = notBoth('user_reference', 'user_id');
export const namesOneUser = ({ user_reference: name, user_id: id }: Pick<FilterQuery, 'user_reference' | 'user_id'>) =>
  name === undefined || id === undefined;

interface FilterQuery {
  readonly types?: ReadonlySet<EventKind> | undefined;
  readonly wager_reference?: string | undefined;
  readonly user_id?: bigint | undefined;
  readonly user_reference?: string | undefined;
  readonly bet_id?: bigint | undefined;
}

export const filterOf = ({ types, wager_reference, user_id, bet_id }: FilterQuery): EventFilter => ({
  types,
  wagerReference: wager_reference,
  userId: user_id,
  betId: bet_id,
});

/** In place of a cursor: the end of the log at this moment. */
export const NOW = 'now';

/** Of the cursor in a field. A cursor of another account is as wrong as any other text. */
export function positionIn(
  field: 'after' | 'before',
  text: string | undefined,
  ofAccount: bigint,
): EventPosition | undefined {
  if (text === undefined) return undefined;
  const position = decodePosition(text);
  if (position === undefined || position.accountId !== ofAccount)
    throw new ValidationError([`${field} must be a cursor`]);
  return position;
}
