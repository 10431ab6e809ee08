import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { waitFor } from './wait-for.js';

export interface ReceivedMail {
  readonly to: string;
  readonly raw: string;
}

export const linkTokenIn = ({ raw }: ReceivedMail) => /verify-email\?token=([\w.-]+)/.exec(raw)?.[1] ?? '';
export const codeIn = ({ raw }: ReceivedMail) => /^(\d{8})\s*$/m.exec(raw)?.[1] ?? '';
export const subjectOf = ({ raw }: ReceivedMail) => /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '';

const recipientOf = (raw: string) => /^To: <?([^>\s]+)>?\r?$/m.exec(raw)?.[1] ?? '';

export async function mailsInFolder(folder: string): Promise<ReceivedMail[]> {
  await mkdir(folder, { recursive: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).sort();
  const raws = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return raws.map((raw) => ({ raw, to: recipientOf(raw) }));
}

/** The newest mail with this subject to this address, as soon as there are `count` of them. */
export async function waitForMail(
  readMails: () => ReceivedMail[] | Promise<ReceivedMail[]>,
  { to, subject, count = 1, timeoutMs = 20_000 }: { to: string; subject: string; count?: number; timeoutMs?: number },
): Promise<ReceivedMail> {
  return waitFor(
    async () => {
      const matching = (await readMails()).filter((mail) => mail.to === to && subjectOf(mail) === subject);
      return matching.length >= count && matching.at(-1);
    },
    { timeoutMs },
  );
}

export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

export function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

/** How the server treats the next message that it is sent. */
export type SmtpBehaviour = 'accept' | 'refuse' | 'quote' | 'hang' | 'drop';

export interface TestSmtpServer {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** What it refused while it was to quote. */
  readonly quoted: ReceivedMail[];
  /** How often a message was offered, whatever became of it. */
  offered(): number;
  behave(behaviour: SmtpBehaviour): void;
  /** Holds the next message until it is told to accept it. */
  holdNext(): { readonly offered: Promise<void>; accept(): void };
  close(): Promise<void>;
}

export async function startSmtpServer(port = 0): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const quoted: ReceivedMail[] = [];
  let behaviour: SmtpBehaviour = 'accept';
  let offered = 0;
  let hold: { offered(): void; readonly accepted: Promise<void> } | undefined;

  const accept = (raw: string, to: string, done: () => void) => {
    mails.push({ raw, to });
    done();
  };
  const treat: Record<SmtpBehaviour, (raw: string, to: string, done: (error?: Error) => void) => void> = {
    accept(raw, to, done) {
      if (hold === undefined) return accept(raw, to, done);
      hold.offered();
      hold.accepted.then(() => accept(raw, to, done), done);
      hold = undefined;
    },
    refuse: (_raw, _to, done) => done(new Error('4.2.1 not now')),
    // As spam filters do.
    quote(raw, to, done) {
      quoted.push({ raw, to });
      const secret = /^(https?:\/\/\S+|\d{8})\r?$/m.exec(raw)?.[1];
      done(Object.assign(new Error(`5.7.1 Blocked in message: ${secret}`), { responseCode: 554 }));
    },
    hang: () => undefined,
    drop() {
      for (const connection of server.connections) connection.close();
    },
  };

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      offered += 1;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        treat[behaviour](raw, session.envelope.rcptTo[0]?.address ?? '', done);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  const listeningPort = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `smtp://127.0.0.1:${listeningPort}`,
    mails,
    quoted,
    offered: () => offered,
    behave: (next) => {
      behaviour = next;
    },
    holdNext() {
      const arrival = deferred();
      const acceptance = deferred();
      hold = { offered: arrival.resolve, accepted: acceptance.promise };
      return { offered: arrival.promise, accept: acceptance.resolve };
    },
    close: () =>
      new Promise((resolve) => {
        for (const connection of server.connections) connection.close();
        server.close(() => resolve());
      }),
  };
}
