import { SMTPServer } from 'smtp-server';
import { deferred } from './deferred.js';
import type { ReceivedMail } from './mails.js';

/** How the server treats the next message. */
export type SmtpBehaviour = 'accept' | 'refuse' | 'quote' | 'hang' | 'drop';

export interface TestSmtpServer {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** The messages that it refused while its behaviour was `quote`. */
  readonly quoted: ReceivedMail[];
  /** How many messages were offered, accepted or not. */
  offered(): number;
  behave(behaviour: SmtpBehaviour): void;
  /** Holds the next message until a call of `accept`. */
  holdNext(): { readonly offered: Promise<void>; accept(): void };
  close(): Promise<void>;
}

/** A message that waits for `accept`. */
interface Hold {
  offered(): void;
  readonly accepted: Promise<void>;
}

type Receive = (raw: string, to: string, done: (error?: Error) => void) => void;

export async function startSmtpServer(port = 0, disabledCommands = ['AUTH', 'STARTTLS']): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const quoted: ReceivedMail[] = [];
  let behaviour: SmtpBehaviour = 'accept';
  let offered = 0;
  let hold: Hold | undefined;

  const accept = (raw: string, to: string, done: () => void) => {
    mails.push({ raw, to });
    done();
  };
  const treat: Record<SmtpBehaviour, Receive> = {
    accept(raw, to, done) {
      if (hold === undefined) return accept(raw, to, done);
      hold.offered();
      hold.accepted.then(() => accept(raw, to, done), done);
      hold = undefined;
    },
    refuse: (_raw, _to, done) => done(new Error('4.2.1 not now')),
    // Spam filters quote a part of the message.
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

  const server = createServer(disabledCommands, (raw, to, done) => {
    offered += 1;
    treat[behaviour](raw, to, done);
  });
  const listeningPort = await listen(server, port);
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

/** Hands each whole message to `receive`. */
function createServer(disabledCommands: string[], receive: Receive): SMTPServer {
  const server = new SMTPServer({
    disabledCommands,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        receive(Buffer.concat(chunks).toString('utf8'), session.envelope.rcptTo[0]?.address ?? '', done);
      });
    },
  });
  server.on('error', () => undefined);
  return server;
}

async function listen(server: SMTPServer, port: number): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
