import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '#platform/logging/logger.js';
import { startSmtpServer, type TestSmtpServer } from '#testing/smtp-server.js';
import { createMailer, type Mail, type Mailer } from './mailer.js';

const mail: Mail = { id: '1', to: 'owner@example.com', subject: 'Hello', text: 'A code', html: '<p>A code</p>' };
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

let plain: TestSmtpServer;
/** It offers STARTTLS, with a certificate that no authority has signed. */
let selfSigned: TestSmtpServer;
let mailer: Mailer;

beforeAll(async () => {
  plain = await startSmtpServer();
  selfSigned = await startSmtpServer(0, ['AUTH']);
});

afterAll(async () => {
  await plain?.close();
  await selfSigned?.close();
});

afterEach(() => mailer.close());

function mailerFor(smtpUrl: string, requiresTls: boolean): Mailer {
  mailer = createMailer({ smtpUrl, requiresTls, from: 'us@example.com', folder: '', logger, timeoutMs: 30_000 });
  return mailer;
}

describe('a mail server', () => {
  it('gets no mail over a connection without TLS where TLS is required', async () => {
    await expect(mailerFor(plain.url, true).send(mail)).rejects.toThrow('mail not sent: ETLS STARTTLS');
    expect([plain.offered(), plain.mails]).toEqual([0, []]);
  });

  it('gets no mail when its certificate does not prove its name', async () => {
    await expect(mailerFor(selfSigned.url, true).send(mail)).rejects.toThrow(/mail not sent: E/);
    expect(selfSigned.offered()).toBe(0);
  });

  it.each([
    ['it is on this machine', '', false],
    ['its address says so', '/?requireTLS=false', true],
  ])('gets mail without TLS when %s', async (_name, query, requiresTls) => {
    const before = plain.mails.length;
    await mailerFor(`${plain.url}${query}`, requiresTls).send(mail);
    expect(plain.mails).toHaveLength(before + 1);
  });
});
