import { z } from 'zod';
import type { ApiKey } from '#accounts/access/api-key-repository.js';
import type { NewKey } from '#accounts/api-keys.js';
import { id, moment, text } from '../../fields/answers.js';
import { keyRole } from '../../fields/enums.js';
import { operatorName, presentOperatorName } from '../operators/operator.js';

const publicHalf = text('Its public half: the user name of HTTP Basic.');

const keyFields = {
  id: id('Its id.'),
  name: text('What the account calls it.'),
  role: keyRole,
  operator: operatorName.nullable().meta({ description: 'Who made it; null: it came with a sandbox.' }),
  api_key: publicHalf,
  created_at: moment('When it was made.'),
  expires_at: moment('When it ends by itself; null: never.').nullable(),
  last_used_at: moment('When it was last used, up to two minutes behind; null: not yet.').nullable(),
};

const api_key = `key_7_${'Example'.repeat(3)}`;
const api_secret = `${'Example'.repeat(6)}0`;

export const pairExample = {
  api_key,
  api_secret,
  base64_encoded: Buffer.from(`${api_key}:${api_secret}`).toString('base64'),
};

const example = {
  id: 3,
  name: 'settlement server',
  role: 'settler',
  operator: { id: 4, name: 'Ann' },
  api_key,
  created_at: '2026-01-15T18:32:10.125Z',
  expires_at: '2027-01-15T00:00:00.000Z',
  last_used_at: null,
};

export const apiKey = z
  .strictObject(keyFields)
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.', examples: [example] });

const secretFields = {
  api_secret: text('The password of HTTP Basic. It is shown only this once.'),
  base64_encoded: text('Both, as they go into the Authorization header: `Basic <base64_encoded>`.'),
};

export const newApiKey = z.strictObject({ ...keyFields, ...secretFields }).meta({
  id: 'NewApiKey',
  examples: [{ ...example, ...pairExample }],
});

export const apiKeyPair = z
  .strictObject({ api_key: publicHalf, ...secretFields })
  .meta({ id: 'ApiKeyPair', examples: [pairExample] });

export const presentApiKey = (found: ApiKey): z.output<typeof apiKey> => ({
  id: Number(found.id),
  name: found.name,
  role: found.role,
  operator: presentOperatorName(found),
  api_key: found.apiKey,
  created_at: found.createdAt,
  expires_at: found.expiresAt,
  last_used_at: found.lastUsedAt,
});

export const presentPair = ({ apiKey, apiSecret }: NewKey): z.output<typeof apiKeyPair> => ({
  api_key: apiKey,
  api_secret: apiSecret,
  base64_encoded: Buffer.from(`${apiKey}:${apiSecret}`).toString('base64'),
});
