import { generateApiKeys } from '#accounts/sessions.js';
import { Unauthorized } from '#http/errors.js';
import { apiKeyPair } from '../answers/account.js';
import { dataWith } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';

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
