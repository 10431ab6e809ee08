import { z } from 'zod';
import { createApiKey, DEFAULT_KEY } from '#accounts/api-keys.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { provenHashOf } from '../../guards/proven-password.js';
import { apiKeyPair, presentPair } from '../api-keys/api-key.js';

const GENERATED = 'API keys generated. The secret is shown only this once';

export const accountGenerateKeys = endpoint({
  method: 'post',
  path: '/auth/account/generate-keys',
  tag: 'Accounts',
  summary: 'Make the API key called default, in place of the earlier one',
  description: 'Needs a bearer token. The key lives until it is replaced or revoked. The account gets a mail.',
  access: 'bearer',
  limit: 'address',
  status: 201,
  body: z
    .strictObject({
      password: fields.secret.nullish().meta({
        description: "The account's password: needed when its preference `confirm_keys` is true.",
      }),
    })
    .meta({ id: 'GenerateKeys', examples: [{}] }),
  carriesSecret: true,
  answer: dataWith(apiKeyPair, GENERATED),
  refusals: ['password-needed', 'current-password-wrong', 'too-many-api-keys'],
  async handle({ body, caller, cause }, { accounts, passwords, limits }) {
    const context = { ...accounts, cause };
    const { accountId } = caller.account;
    await limits.count('api-key', String(accountId));
    const key = await createApiKey(context, {
      accountId,
      operatorId: caller.operator?.id,
      tokenId: caller.tokenId ?? 0n,
      name: DEFAULT_KEY,
      role: 'owner',
      expiresAt: null,
      replaces: true,
      provenHash: await provenHashOf(context, { limits, passwords }, { caller, password: body.password }),
    });
    if (key === undefined) throw new Unauthorized();
    return { data: presentPair(key), message: GENERATED };
  },
});
