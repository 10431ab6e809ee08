import { z } from 'zod';
import type { Account } from '#accounts/account.js';
import type { MoneySettings } from '#accounts/money-settings.js';
import { id, moment, text } from '../../fields/answers.js';
import { accountRole, accountStatus } from '../../fields/enums.js';
import { currency, decimals } from '../../fields/money-settings.js';
import { accountPreferences } from '../../fields/preferences.js';

const identity = {
  id: id('Its id.'),
  name: text('Given at registration.'),
  email: z.string().meta({ format: 'email', description: 'Given at registration; what it logs in with.' }),
};
const apiKeyGeneratedAt = moment('When the newest of its API keys was made; null: it has none.').nullable();
const money = {
  currency: currency.optional(),
  decimals: decimals.optional(),
};
const createdAt = moment('When it registered.');
const updatedAt = moment('When anything about it changed last.');

const example = {
  id: 7,
  name: 'Corner Bets',
  email: 'owner@example.com',
  api_key_generated_at: '2026-01-15T18:32:10.125Z',
  created_at: '2026-01-15T18:30:00.250Z',
  updated_at: '2026-01-15T18:32:10.125Z',
};

export const ownAccount = z
  .strictObject({
    ...identity,
    api_key_generated_at: apiKeyGeneratedAt,
    ...money,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: 'OwnAccount', description: 'An account, as it sees itself.', examples: [example] });

export const account = z
  .strictObject({
    ...identity,
    role: accountRole,
    status: accountStatus,
    email_verified_at: moment('When the link of a mail to its address was opened; null: not yet.').nullable(),
    email_proved_at: moment(
      'When somebody who reads its e-mail knew its password or set it; null: not yet. Then it belongs to the owner of the address.',
    ).nullable(),
    api_key_generated_at: apiKeyGeneratedAt,
    preferences: accountPreferences,
    ...money,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: 'Account',
    description: 'An account, as admins see it.',
    examples: [
      {
        ...example,
        role: 'business',
        status: 'active',
        email_verified_at: '2026-01-15T18:31:02.500Z',
        email_proved_at: '2026-01-15T18:31:14.750Z',
        preferences: { allow_negative_balance: false },
      },
    ],
  });

/** Only what is set. */
export const presentMoney = ({ currency, decimals }: MoneySettings): z.output<z.ZodObject<typeof money>> => ({
  ...(currency !== null && { currency }),
  ...(decimals !== null && { decimals }),
});

/** As admins see it. */
export function presentAccount(found: Account): z.output<typeof account> {
  return {
    id: Number(found.id),
    name: found.name,
    email: found.email,
    role: found.role,
    status: found.status,
    email_verified_at: found.emailVerifiedAt,
    email_proved_at: found.emailProvedAt,
    api_key_generated_at: found.apiKeyGeneratedAt,
    preferences: found.preferences,
    ...presentMoney(found),
    created_at: found.createdAt,
    updated_at: found.updatedAt,
  };
}
