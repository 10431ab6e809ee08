import { z } from 'zod';
import { createSandbox } from '#accounts/sandboxes/manage-sandboxes.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { presentPair } from '../api-keys/api-key.js';
import { newSandbox, presentSandbox } from './sandbox.js';

const MADE = 'Sandbox made. The secret is shown only this once';
const MAX_NAME = 100;

export const sandboxCreate = endpoint({
  method: 'post',
  path: '/account/sandboxes',
  tag: 'Sandboxes',
  summary: 'Make a sandbox',
  description:
    'An account of its own, for tests: with an API key, and with a clock that `POST /sandbox/clock` advances. It counts money as the account does. At most 5 for a business, each with at most 100,000 bets.',
  access: 'account',
  status: 201,
  body: z
    .strictObject({ name: fields.line(MAX_NAME).meta({ description: 'What the business calls it.' }) })
    .meta({ id: 'CreateSandbox', examples: [{ name: 'nightly tests' }] }),
  carriesSecret: true,
  answer: dataWith(newSandbox, MADE),
  refusals: ['sandbox-of-sandbox', 'too-many-sandboxes'],
  async handle({ body, caller, cause }, { accounts }) {
    const { account, operator, tokenId, apiKey } = caller;
    const made = await createSandbox(
      { ...accounts, cause },
      {
        accountId: account.accountId,
        operatorId: operator?.id,
        tokenId,
        apiKeyId: apiKey?.id,
        name: body.name,
        isOfSandbox: account.sandboxOf !== null,
      },
    );
    if (made === undefined) throw new Unauthorized();
    return { data: { ...presentSandbox(made.sandbox), ...presentPair(made.key) }, message: MADE };
  },
});
