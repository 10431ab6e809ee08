import type { TopicOf } from '#jobs/outbox.js';
import type { mailQueue } from '#jobs/queues.js';

export type MailTopic = TopicOf<typeof mailQueue>;

// A mail contains no text from a request: an account's name could carry a stranger's message to a victim.
// The texts are plain ASCII, so that a mail can be read without decoding it.

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Paragraph {
  readonly text: string;
  readonly link?: boolean;
  readonly strong?: boolean;
}

export interface InvitationText {
  readonly token: string;
  /** Of the API. */
  readonly route: string;
  /** Of the console, with the token. */
  readonly page: string | undefined;
}

const SIGNATURE: Paragraph = { text: 'Betting Ledger' };

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function htmlParagraph({ text, link, strong }: Paragraph): string {
  const escaped = escapeHtml(text);
  if (link) return `<p><a href="${escaped}">${escaped}</a></p>`;
  return strong ? `<p style="font-size: 1.5em"><strong>${escaped}</strong></p>` : `<p>${escaped}</p>`;
}

function compose(subject: string, paragraphs: readonly Paragraph[]): MailContent {
  const all = [{ text: 'Hello,' }, ...paragraphs, SIGNATURE];
  const body = all.map(htmlParagraph).join('\n');
  return {
    subject,
    text: `${all.map(({ text }) => text).join('\n\n')}\n`,
    html: `<!DOCTYPE html>\n<html lang="en">\n<head><title>${subject}</title></head>\n<body>\n${body}\n</body>\n</html>\n`,
  };
}

const pageFirst = (page: string): Paragraph[] => [
  { text: 'please confirm your e-mail address within 24 hours, by opening this page and entering your password:' },
  { text: page, link: true },
];

export const mailContents = {
  /** The page takes the password, so that it proves whose account it is; whoever opens the link need not know it. */
  'verification-mail': (link: string, page?: string) =>
    compose('Confirm your e-mail address', [
      ...(page === undefined ? [] : pageFirst(page)),
      {
        text: page
          ? 'Programs may open this address instead, which only says that the mail came:'
          : 'please confirm your e-mail address by opening this link within 24 hours:',
      },
      { text: link, link: true },
      { text: 'If you did not register, you can ignore this mail.' },
    ]),
  'password-reset-mail': (code: string, page?: string) =>
    compose('Your password reset code', [
      { text: 'someone asked to reset the password of your account. The code is:' },
      { text: code, strong: true },
      ...(page === undefined
        ? []
        : [{ text: 'Enter it on this page, with a new password:' }, { text: page, link: true }]),
      { text: 'It is valid for 10 minutes and can be used once. If you did not ask for it, you can ignore this mail.' },
    ]),
  'invitation-mail': ({ token, route, page }: InvitationText) =>
    compose('You are invited to Betting Ledger', [
      { text: 'you are invited to work for a business that uses Betting Ledger.' },
      ...(page === undefined
        ? []
        : [{ text: 'To accept, open this page within 7 days and choose a password:' }, { text: page, link: true }]),
      {
        text: `${page ? 'Programs' : 'To accept, programs'} may send this token with a password, by POST, to ${route}:`,
      },
      { text: token },
      { text: 'It works once. If you do not know of this, you can ignore this mail.' },
    ]),
  'password-changed-mail': () =>
    compose('Your password was changed', [
      { text: 'the password of your account has been changed, and other sessions have been ended.' },
      { text: 'If this was not you, reset your password at once.' },
      {
        text: 'API keys and webhook endpoints that were not ended with it go on: if this was not you, end them as well.',
      },
    ]),
  'second-factor-added-mail': () =>
    compose('A second factor was added', [
      { text: 'your log-in needs a code of your authenticator app from now on, or a recovery code.' },
      { text: 'If this was not you, somebody knows your password: tell an owner of your account at once.' },
    ]),
  'second-factor-removed-mail': () =>
    compose('Your second factor was removed', [
      { text: 'your log-in needs no code any more: your password is enough.' },
      { text: 'If this was not you, change your password at once, then end all sessions and add a second factor.' },
    ]),
  'api-key-created-mail': () =>
    compose('A new API key', [
      { text: 'a new API key has been made for your account.' },
      { text: 'If this was not you, change your password at once, then revoke the key and end all sessions.' },
    ]),
  'webhook-address-mail': (endpointId: string) =>
    compose('A webhook endpoint has a new address', [
      { text: `the webhook endpoint ${endpointId} of your account has been made, or sends to another address now.` },
      {
        text: 'If this was not you, change your password at once, then delete it, revoke API keys and end all sessions.',
      },
    ]),
  'webhook-failing-mail': (endpointId: string) =>
    compose('A webhook endpoint fails', [
      { text: `the webhook endpoint ${endpointId} of your account has not taken an event for a day.` },
      { text: 'We keep trying. After 5 days it is disabled; no event is lost, and it can go on later.' },
      { text: 'GET /webhook-endpoints lists your endpoints, and their attempts say what went wrong.' },
    ]),
  'webhook-disabled-mail': (endpointId: string) =>
    compose('A webhook endpoint was disabled', [
      {
        text: `the webhook endpoint ${endpointId} of your account has been disabled, because it does not take events.`,
      },
      { text: 'No event is lost: when it works again, enable it, and it goes on where it ended.' },
    ]),
} satisfies Record<MailTopic, (secret: never) => MailContent>;
