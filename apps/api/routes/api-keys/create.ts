import { z } from 'zod';
import { createApiKey } from '#accounts/api-keys.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { keyRole } from '../../fields/enums.js';
import { provenHashOf } from '../../guards/proven-password.js';
import { newApiKey, presentApiKey, presentPair } from './api-key.js';

const MADE = 'API key made. The secret is shown only this once';
const MAX_NAME = 100;

const inTheFuture = fields.storedMoment
  .refine((moment) => moment.getTime() > Date.now(), 'must be in the future')
  .meta({ type: 'string', format: 'date-time' });

export const accountApiKeyCreate = endpoint({
  method: 'post',
  path: '/auth/account/api-keys',
  tag: 'Accounts',
  summary: 'Make an API key beside the others',
  description: 'Needs a bearer token. The account gets a mail. At most 50 for an account.',
  access: 'bearer',
  limit: 'address',
  freshProof: true,
  status: 201,
  body: z
    .strictObject({
      name: fields.line(MAX_NAME).meta({ description: 'What the account calls it; no other key of it has this name.' }),
      role: keyRole.nullish().meta({ description: 'What it may do. `owner`, unless given.' }),
      expires_at: inTheFuture
        .nullish()
        .meta({ description: 'When it ends by itself, in ISO 8601. Never, unless given.' }),
      password: fields.secret.nullish().meta({
        description: "The account's password: needed when its preference `confirm_keys` is true.",
      }),
    })
    .meta({
      id: 'CreateApiKey',
      examples: [{ name: 'settlement server', role: 'settler', expires_at: '2099-01-15T00:00:00Z' }],
    }),
  carriesSecret: true,
  answer: dataWith(newApiKey, MADE),
  refusals: ['password-needed', 'current-password-wrong', 'too-many-api-keys', 'api-key-name-taken'],
  async handle({ body, caller, cause }, { accounts, passwords, limits }) {
    const context = { ...accounts, cause };
    const { accountId } = caller.account;
    await limits.count('api-key', String(accountId));
    const key = await createApiKey(context, {
      accountId,
      operatorId: caller.operator?.id,
      tokenId: caller.tokenId ?? 0n,
      name: body.name,
      role: body.role ?? 'owner',
      expiresAt: body.expires_at ?? null,
      replaces: false,
      provenHash: await provenHashOf(context, { limits, passwords }, { caller, password: body.password }),
    });
    if (key === undefined) throw new Unauthorized();
    return { data: { ...presentApiKey(key), ...presentPair(key) }, message: MADE };
  },
});
