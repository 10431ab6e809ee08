import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isSuccess, type Operation } from '../../history.js';
import { type Finding, findingsOf, type Queryable } from '../finding.js';

// Mails are sent at least once: every requested mail arrived, no other did, and copies share their Message-ID,
// up to the part that tells tries with another secret apart.

interface Mail {
  readonly to: string;
  readonly id: string;
}

interface RequestedMail extends Mail {
  /** A newer request for a reset code replaces an older one that was not sent yet. */
  readonly isSuperseded: boolean;
}

export interface MailReport {
  readonly findings: readonly Finding[];
  readonly arrived: number;
  readonly repeated: number;
}

const requestedMails = `
  SELECT a.email AS "to", o.topic || '-' || o.id AS id,
         o.topic = 'password-reset-mail' AND EXISTS (
           SELECT FROM outbox later WHERE later.account_id = o.account_id AND later.topic = o.topic AND later.id > o.id)
           AS "isSuperseded"
    FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE o.topic LIKE '%-mail'`;

export async function checkMails(
  operations: readonly Operation[],
  { database, mailFolder }: { readonly database: Queryable; readonly mailFolder: string },
): Promise<MailReport> {
  const { rows } = await database.query<RequestedMail>(requestedMails);
  const mails = await mailsIn(mailFolder);
  const arrived = new Set(mails.map(textOf));
  const asked = new Set(rows.map(textOf));
  const lost = rows.filter((mail) => !mail.isSuperseded && !arrived.has(textOf(mail)));
  const unasked = mails.filter((mail) => !asked.has(textOf(mail)));
  return {
    findings: [
      ...findingsOf(
        'every mail arrived',
        lost.map((mail) => `missing: ${textOf(mail)}`),
      ),
      ...findingsOf(
        'no mail was sent without a request',
        unasked.map((mail) => `not requested: ${textOf(mail)}`),
      ),
      ...findingsOf('reset codes match the requests for them', miscountedResetCodes(operations, rows)),
    ],
    arrived: arrived.size,
    repeated: mails.length - arrived.size,
  };
}

const textOf = ({ to, id }: Mail): string => `${id} to ${to}`;

async function mailsIn(folder: string): Promise<Mail[]> {
  await mkdir(folder, { recursive: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith('.eml'));
  const mails: Mail[] = [];
  for (const file of files) {
    const text = await readFile(path.join(folder, file), 'utf8');
    const to = /^To: <?([^>\s]+)>?$/m.exec(text)?.[1] ?? '';
    const id = /^Message-ID:\s*<([a-z-]+-\d+)(?:-[\da-f-]{36})?@/m.exec(text)?.[1] ?? '';
    mails.push({ to, id });
  }
  return mails;
}

/** A request for a code takes no key: each success took effect, and each try without an answer may have. */
function miscountedResetCodes(operations: readonly Operation[], rows: readonly Mail[]): string[] {
  const asked = operations.filter(({ kind }) => kind === 'forgot-password');
  const codes = rows.filter(({ id }) => id.startsWith('password-reset-mail'));
  const emails = new Set([...asked.map(({ account }) => account.email), ...codes.map(({ to }) => to)]);
  return [...emails].flatMap((email) => {
    const own = asked.filter(({ account }) => account.email === email);
    const least = own.filter(isSuccess).length;
    const most = own.reduce((sum, { tries }) => sum + tries.length, 0);
    const found = codes.filter(({ to }) => to === email).length;
    return found >= least && found <= most ? [] : [`${email}: ${found}, requested ${least} to ${most} times`];
  });
}
