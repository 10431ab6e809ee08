import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import type { Credential } from '#accounts/access/caller-guard.js';
import type { Operator } from '#accounts/operators/operator.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { id, moment, text } from '../../fields/answers.js';
import { callerRole, operatorState } from '../../fields/enums.js';

export const operatorName = z
  .strictObject({ id: id('Its id.'), name: text('Its name.') })
  .meta({ id: 'OperatorName', description: 'A person of an account.', examples: [{ id: 4, name: 'Ann' }] });

/** Null when there is no operator. */
export const presentOperatorName = (of: {
  readonly operatorId: bigint | null;
  readonly operatorName: string | null;
}) => (of.operatorId === null ? null : { id: Number(of.operatorId), name: of.operatorName ?? '' });

export const operator = z
  .strictObject({
    id: id('Its id.'),
    email: text('What it logs in with.'),
    name: text('Its name, as trails show it.'),
    role: callerRole,
    state: operatorState,
    has_second_factor: z.boolean().meta({ description: 'Whether its log-in takes a code, too.' }),
    last_login_at: moment('When it last logged in; null: not yet.').nullable(),
    created_at: moment('When it registered or was invited.'),
  })
  .meta({
    id: 'Operator',
    description: 'A person who works for an account.',
    examples: [
      {
        id: 4,
        email: 'ann@example.com',
        name: 'Ann',
        role: 'settler',
        state: 'active',
        has_second_factor: false,
        last_login_at: '2026-01-15T18:32:10.125Z',
        created_at: '2026-01-14T09:10:00.000Z',
      },
    ],
  });

export const presentOperator = (found: Operator): z.output<typeof operator> => ({
  id: Number(found.id),
  email: found.email,
  name: found.name,
  role: found.role,
  state: found.state,
  has_second_factor: found.hasSecondFactor,
  last_login_at: found.lastLoginAt,
  created_at: found.createdAt,
});

export const operatorPath = z.object({
  id: fields.idText.meta({ description: 'The id of the operator.', examples: [4] }),
});

const MAX_NAME = 100;
export const personName = fields.line(MAX_NAME);

export const credentialOf = ({ account, operator: person, tokenId }: Caller): Credential => ({
  accountId: account.accountId,
  operatorId: person?.id,
  tokenId,
});

/** Undefined: the caller's credential has ended, or the caller was deleted meanwhile. */
export function presentChanged(changed: Operator | undefined): z.output<typeof operator> {
  if (changed === undefined) throw new Unauthorized();
  return presentOperator(changed);
}
