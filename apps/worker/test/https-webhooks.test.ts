import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type PartProcess, startPartProcess } from '#testing/part-process.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { makeSelfSignedCertificate } from '#testing/self-signed-certificate.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';

// Node.js reads the authorities that it trusts at its start, so the worker is a process of its own.

const WEBHOOK_KEY = Buffer.alloc(32, 'a key of this test').toString('base64');
const SETTINGS = { WEBHOOK_KEY, ALLOW_PRIVATE_WEBHOOKS: 'true' };

const trusted = makeSelfSignedCertificate('localhost');
const ofAnotherName = makeSelfSignedCertificate('example.com');
const unknown = makeSelfSignedCertificate('localhost');

const environment = withTestEnvironment(async () => {
  await worker?.kill();
  await api?.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});
let api: TestPart;
let worker: PartProcess;
let business: TestBusiness;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  const authorities = path.join(environment.folder, 'authorities.pem');
  await writeFile(authorities, trusted.cert + ofAnotherName.cert);
  const { addresses, redisUrl: REDIS_URL, redisPrefix: REDIS_PREFIX, folder: DATA_DIR } = environment;
  const env = { ...SETTINGS, ...addresses, REDIS_URL, REDIS_PREFIX, DATA_DIR, NODE_EXTRA_CA_CERTS: authorities };
  [api, worker] = await Promise.all([
    startTestApi(environment, SETTINGS),
    startPartProcess('worker', { ...env, LOG_LEVEL: 'fatal' }),
  ]);
  business = await openTestBusiness(api.client);
});

async function receiverWith(certificate: typeof trusted): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(certificate);
  receivers.push(receiver);
  return receiver;
}

/** Its first event is that of itself. */
const makeEndpoint = async (url: string) =>
  ok(await business.client.post('/webhook-endpoints', { url, types: ['webhook.*'], mode: 'ordered' })).data;
const firstAttemptOf = (id: number) =>
  waitFor(async () => ok(await business.client.get(`/webhook-endpoints/${id}/attempts`), 200).data.at(-1));

describe('the worker delivers over HTTPS', () => {
  it('to a receiver whose certificate has its name and a known authority', async () => {
    const receiver = await receiverWith(trusted);
    const { id, secret } = await makeEndpoint(receiver.url);
    expect(await firstAttemptOf(id)).toMatchObject({ status: 204, error: null });
    const [{ text, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
    expect(body).toMatchObject({ type: 'webhook.created', data: { webhook_endpoint: { id, url: receiver.url } } });
  });

  it.each([
    ['is of another name', ofAnotherName],
    ['no authority has signed', unknown],
  ])('and to none whose certificate %s', async (_case, certificate) => {
    const receiver = await receiverWith(certificate);
    const { id } = await makeEndpoint(receiver.url);
    expect(await firstAttemptOf(id)).toMatchObject({ status: null, error: 'tls' });
    expect(receiver.received).toEqual([]);
    expect(ok(await business.client.get(`/webhook-endpoints/${id}`), 200).data).toMatchObject({ state: 'failing' });
  });
});
