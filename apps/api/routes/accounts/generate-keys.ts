import { z } from 'zod';
import { generateApiKeys } from '#accounts/sessions.js';
import { Unauthorized } from '#http/errors.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, text } from '../../fields/answers.js';

const keyExample = { api_key: `key_7_${'Example'.repeat(3)}`, api_secret: `${'Example'.repeat(6)}0` };
const base64Example = Buffer.from(`${keyExample.api_key}:${keyExample.api_secret}`).toString('base64');

const apiKeyPair = z
  .strictObject({
    api_key: text('The user name of HTTP Basic.'),
    api_secret: text('The password of HTTP Basic. It is shown only this once.'),
    base64_encoded: text('Both, as they go into the Authorization header: `Basic <base64_encoded>`.'),
  })
  .meta({
    id: 'ApiKeyPair',
    examples: [{ ...keyExample, base64_encoded: base64Example }],
  });

export const accountGenerateKeys = endpoint({
  method: 'post',
  path: '/auth/account/generate-keys',
  tag: 'Accounts',
  summary: 'Make an API key pair, in place of the earlier one',
  description: 'Needs a bearer token. They live until they are replaced.',
  access: 'bearer',
  status: 201,
  carriesSecret: true,
  answer: dataWith(apiKeyPair, 'API keys generated. The secret is shown only this once'),
  async handle({ caller }, { accounts }) {
    const owner = { accountId: caller.account.accountId, tokenId: caller.tokenId ?? 0n };
    const pair = await generateApiKeys(accounts, owner);
    if (pair === undefined) throw new Unauthorized();
    const { apiKey, apiSecret } = pair;
    return {
      data: {
        api_key: apiKey,
        api_secret: apiSecret,
        base64_encoded: Buffer.from(`${apiKey}:${apiSecret}`).toString('base64'),
      },
      message: 'API keys generated. The secret is shown only this once',
    };
  },
});
