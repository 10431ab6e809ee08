import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from './wait-for.js';

export interface ReceivedMail {
  readonly to: string;
  readonly raw: string;
}

export const linkTokenIn = ({ raw }: ReceivedMail) => /verify-email\?token=([\w.-]+)/.exec(raw)?.[1] ?? '';
export const codeIn = ({ raw }: ReceivedMail) => /^(\d{8})\s*$/m.exec(raw)?.[1] ?? '';
const subjectOf = ({ raw }: ReceivedMail) => /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '';

const recipientOf = (raw: string) => /^To: <?([^>\s]+)>?\r?$/m.exec(raw)?.[1] ?? '';

export async function mailsInFolder(folder: string): Promise<ReceivedMail[]> {
  await mkdir(folder, { recursive: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).sort();
  const raws = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return raws.map((raw) => ({ raw, to: recipientOf(raw) }));
}

/** Waits for `count` mails with this subject to this address, and returns the newest. */
export async function waitForMail(
  readMails: () => ReceivedMail[] | Promise<ReceivedMail[]>,
  { to, subject, count = 1, timeoutMs = 40_000 }: { to: string; subject: string; count?: number; timeoutMs?: number },
): Promise<ReceivedMail> {
  return waitFor(
    async () => {
      const matching = (await readMails()).filter((mail) => mail.to === to && subjectOf(mail) === subject);
      return matching.length >= count && matching.at(-1);
    },
    { timeoutMs },
  );
}
