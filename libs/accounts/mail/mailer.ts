import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Logger } from '#platform/logging/logger.js';
import type { MailContent } from './templates.js';

export interface Mail extends MailContent {
  readonly to: string;
  /** Part of the Message-ID: a mail that is sent twice after a crash has the same one, unless its secret is another. */
  readonly id: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

export interface MailerOptions {
  readonly smtpUrl: string | undefined;
  /** Whether a server must offer STARTTLS, with a certificate that proves its name. */
  readonly requiresTls: boolean;
  readonly from: string;
  /** The folder for mails as files when there is no SMTP server. */
  readonly folder: string;
  readonly logger: Logger;
  readonly timeoutMs: number;
}

const MAX_CONNECTIONS = 5;

/**
 * Describes a failure by codes alone. Spam filters quote the message, and with it the token or code. The server's text
 * must not be thrown, because errors are stored in Redis, in the log and in the outbox.
 */
class MailError extends Error {
  override readonly name = 'MailError';

  constructor({ code, command, responseCode }: SmtpFailure) {
    const codes = [code, command, responseCode].filter((part) => part !== undefined);
    super(codes.length === 0 ? 'mail not sent' : `mail not sent: ${codes.join(' ')}`);
  }
}

/** The fields of a nodemailer error that contain no text of the server. */
interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** Raw, because nodemailer would break the long line of a link. */
const asciiPart = (type: string, content: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${content.replaceAll('\n', '\r\n')}`,
});

function messageOf({ to, id, subject, text, html }: Mail, from: string): SendMailOptions {
  return {
    from,
    to: { name: '', address: to },
    subject,
    messageId: `<${id}@betting-ledger>`,
    alternatives: [asciiPart('text/plain', text), asciiPart('text/html', html)],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function createSmtpMailer({ smtpUrl, requiresTls, from, timeoutMs }: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: requiresTls,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
  return {
    send: async (mail) => {
      try {
        await transport.sendMail(messageOf(mail, from));
      } catch (error) {
        throw new MailError(error as SmtpFailure);
      }
    },
    close: () => transport.close(),
  };
}

function createFileMailer({ from, folder, logger }: MailerOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from));
      const file = path.join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${mail.id}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The rename lets a watcher of the folder see complete mails only.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      logger.info({ file }, 'no SMTP_URL: mail written to a file');
    },
    close: () => transport.close(),
  };
}

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined ? createFileMailer(options) : createSmtpMailer(options);
}
