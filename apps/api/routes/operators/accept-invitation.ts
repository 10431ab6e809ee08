import { z } from 'zod';
import { acceptInvitation } from '#accounts/operators/invitations.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

const ACCEPTED = 'Invitation accepted. You can log in now';

export const operatorAcceptInvitation = endpoint({
  method: 'post',
  path: '/operators/accept-invitation',
  tag: 'People',
  summary: 'Accept an invitation with the token from the mail',
  description:
    'Sets the password with which the person then logs in, as everybody. A token lives 7 days and works once.',
  access: 'public',
  limit: 'address',
  hashesPassword: true,
  body: z
    .strictObject({
      token: fields.secret.meta({ description: 'The token from the mail.' }),
      password: fields.newPassword.meta({ description: fields.NEW_PASSWORD_TEXT }),
    })
    .meta({ id: 'AcceptInvitation', examples: [{ token: `7.${'Example'.repeat(6)}0`, password: 'correct horse' }] }),
  answer: messageOnly(ACCEPTED),
  refusals: ['invitation-invalid', 'password-obvious', 'password-common'],
  async handle({ body, address, cause, logAccount }, { accounts, passwords, limits }) {
    const { accountId } = await acceptInvitation({ ...accounts, cause }, body, (hash) =>
      limits.inTurn(address, (asker) => hash(passwords.for(asker))),
    );
    logAccount(accountId);
    return { message: ACCEPTED };
  },
});
