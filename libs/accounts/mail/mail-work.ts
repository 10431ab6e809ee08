import { randomUUID } from 'node:crypto';
import { type EntryKey, findUndoneEntry, markDone, type OutboxEntry } from '#jobs/outbox.js';
import { DAY_MS, MINUTE_MS } from '#platform/config/time-units.js';
import type { Database } from '#platform/database/database.js';
import type { Passwords } from '../access/passwords.js';
import { createAccountToken, createResetCode } from '../access/secrets.js';
import { findMailAccount, type MailAccount } from '../account-repository.js';
import { findInvitedAddress, INVITATION_MAIL, storeInvitation } from '../operators/invitations.js';
import { INVITATION_LIFE_MS } from '../operators/operator.js';
import { findLogin, findOwnersAddress } from '../operators/operator-repository.js';
import { storeResetCode } from '../reset-codes.js';
import { insertVerificationToken } from '../verification-tokens.js';
import type { Mailer } from './mailer.js';
import { type MailContent, type MailTopic, mailContents } from './templates.js';

const VERIFICATION_TOKEN_LIFE_MS = DAY_MS;
const RESET_CODE_LIFE_MS = 10 * MINUTE_MS;

export interface MailWorkOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly passwords: Passwords;
  readonly appUrl: string;
  readonly consoleUrl?: string | undefined;
  readonly now: () => Date;
}

/** Of a mail to an operator: whose it is. */
const operatorIdOf = ({ payload: { operatorId } }: OutboxEntry): bigint | undefined =>
  operatorId === undefined ? undefined : BigInt(operatorId);

/** In these mails the secret of each try ends that of the one before: as one mail, a server would keep the first. */
const REPLACING: ReadonlySet<string> = new Set<MailTopic>(['password-reset-mail', INVITATION_MAIL]);

const idOf = ({ topic, id }: OutboxEntry): string =>
  REPLACING.has(topic) ? `${topic}-${id}-${randomUUID()}` : `${topic}-${id}`;

const aboutEndpoint =
  (topic: Extract<MailTopic, `webhook-${string}`>) =>
  async (_account: MailAccount, { payload }: OutboxEntry): Promise<MailContent> =>
    mailContents[topic](payload.endpointId ?? '');

export type MailWork = (key: EntryKey) => Promise<void>;

/**
 * Sends the mail of an outbox entry. It creates the secret in the mail at the last moment and stores only its hash, so no
 * secret ever waits in a queue. A retry creates a new one. A mail that is sent already or moot needs no work.
 */
export function createMailWork({ database, mailer, passwords, appUrl, consoleUrl, now }: MailWorkOptions): MailWork {
  const expiresIn = (lifeMs: number) => new Date(now().getTime() + lifeMs);

  /** Undefined: the operator cannot log in any more, or is invited no more. */
  async function addressOf({ id: accountId, email }: MailAccount, entry: OutboxEntry): Promise<string | undefined> {
    const operatorId = operatorIdOf(entry);
    if (entry.topic === 'verification-mail') return email;
    // The one who registered may have gone.
    if (operatorId === undefined) return (await findOwnersAddress(database.shared, accountId)) ?? email;
    const key = { accountId, operatorId };
    if (entry.topic === INVITATION_MAIL) return findInvitedAddress(database.shared, key);
    return (await findLogin(database.shared, key))?.email;
  }

  const prepare: Record<MailTopic, (account: MailAccount, entry: OutboxEntry) => Promise<MailContent | undefined>> = {
    async 'verification-mail'({ id, emailProvedAt }) {
      if (emailProvedAt !== null) return undefined;
      const token = createAccountToken(id);
      await insertVerificationToken(database.shared, token, expiresIn(VERIFICATION_TOKEN_LIFE_MS));
      const link = `${appUrl}/auth/account/verify-email?token=${token.token}`;
      const page = consoleUrl && `${consoleUrl}/confirm-email?token=${token.token}`;
      return mailContents['verification-mail'](link, page);
    },
    async 'password-reset-mail'(_account, entry) {
      const code = createResetCode();
      const codeHash = await passwords.hash(code);
      const request = { ...entry, operatorId: operatorIdOf(entry) ?? 0n };
      const stored = await storeResetCode(database, request, { codeHash, expiresAt: expiresIn(RESET_CODE_LIFE_MS) });
      return stored
        ? mailContents['password-reset-mail'](code, consoleUrl && `${consoleUrl}/reset-password`)
        : undefined;
    },
    async 'invitation-mail'({ id }, entry) {
      const { token, hash } = createAccountToken(id);
      const invited = { ...entry, operatorId: operatorIdOf(entry) ?? 0n };
      if (!(await storeInvitation(database, invited, { hash, expiresAt: expiresIn(INVITATION_LIFE_MS) }))) {
        return undefined;
      }
      const page = consoleUrl && `${consoleUrl}/accept-invitation?token=${token}`;
      return mailContents['invitation-mail']({ token, route: `${appUrl}/operators/accept-invitation`, page });
    },
    'password-changed-mail': async () => mailContents['password-changed-mail'](),
    'second-factor-added-mail': async () => mailContents['second-factor-added-mail'](),
    'second-factor-removed-mail': async () => mailContents['second-factor-removed-mail'](),
    'api-key-created-mail': async () => mailContents['api-key-created-mail'](),
    'webhook-address-mail': aboutEndpoint('webhook-address-mail'),
    'webhook-failing-mail': aboutEndpoint('webhook-failing-mail'),
    'webhook-disabled-mail': aboutEndpoint('webhook-disabled-mail'),
  };

  return async (key) => {
    const entry = await findUndoneEntry(database.of(key.accountId), key);
    if (entry === undefined) return;
    const account = await findMailAccount(database.shared, entry.accountId);
    const to = account === undefined ? undefined : await addressOf(account, entry);
    if (account !== undefined && to !== undefined) {
      const content = await prepare[entry.topic as MailTopic](account, entry);
      if (content !== undefined) await mailer.send({ ...content, to, id: idOf(entry) });
    }
    await markDone(database.of(entry.accountId), entry);
  };
}
