import { z } from 'zod';
import { preferences } from '../user-fields.js';
import { accountRole } from '../words.js';
import { id, moment, pageOf, text } from './fields.js';

const identity = {
  id: id('Its id.'),
  name: text('Given at registration.'),
  email: z.string().meta({ format: 'email', description: 'Given at registration; what it logs in with.' }),
};
const apiKeyGeneratedAt = moment('When its API keys were made; null: it has none.').nullable();
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
  .strictObject({ ...identity, api_key_generated_at: apiKeyGeneratedAt, created_at: createdAt, updated_at: updatedAt })
  .meta({ id: 'OwnAccount', description: 'An account, as it sees itself.', examples: [example] });

export const account = z
  .strictObject({
    ...identity,
    role: accountRole,
    email_verified_at: moment('When its e-mail address proved to be its own; null: not yet.').nullable(),
    api_key_generated_at: apiKeyGeneratedAt,
    preferences,
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
        email_verified_at: '2026-01-15T18:31:02.500Z',
        preferences: { allow_negative_balance: false },
      },
    ],
  });

export const accountPage = pageOf(account).meta({ id: 'AccountPage' });

export const accessToken = z
  .strictObject({ token: text('Goes into the Authorization header: `Bearer <token>`. It lives 24 hours.') })
  .meta({ id: 'AccessToken', examples: [{ token: `7.${'Example'.repeat(6)}0` }] });

const keyExample = { api_key: `key_7_${'Example'.repeat(3)}`, api_secret: `${'Example'.repeat(6)}0` };
const base64Example = Buffer.from(`${keyExample.api_key}:${keyExample.api_secret}`).toString('base64');

export const apiKeyPair = z
  .strictObject({
    api_key: text('The user name of HTTP Basic.'),
    api_secret: text('The password of HTTP Basic. It is shown only this once.'),
    base64_encoded: text('Both, as they go into the Authorization header: `Basic <base64_encoded>`.'),
  })
  .meta({
    id: 'ApiKeyPair',
    examples: [{ ...keyExample, base64_encoded: base64Example }],
  });
