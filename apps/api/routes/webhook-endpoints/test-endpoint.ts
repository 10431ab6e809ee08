import { Refusal } from '#platform/errors/refusal.js';
import { readEndpoint, readSecrets, writeAttempt } from '#webhooks/endpoint-rows.js';
import { signingSecrets } from '#webhooks/secret-box.js';
import { type Message, messageHeaders, type WebhookResult } from '#webhooks/sender.js';
import type { EndpointKey } from '#webhooks/webhook-endpoint.js';
import type { ApiServices } from '../../services.js';
import { secretBoxOf } from './webhook-endpoint.js';

const RETRY_AFTER_SECONDS = 15;

function pingMessage({ accountId, id }: EndpointKey, at: Date): Message {
  const data = { webhook_endpoint_id: Number(id) };
  const body = JSON.stringify({ type: 'ping', timestamp: at.toISOString(), data });
  return { id: `ping_${accountId}_${id}_${at.getTime()}`, body };
}

/** Sends a `ping`, and writes it among the attempts. No transaction is open meanwhile. */
export async function testEndpoint(services: ApiServices, key: EndpointKey): Promise<WebhookResult> {
  const { database, webhooks } = services;
  const { accountId } = key;
  const tables = database.of(accountId);
  const box = secretBoxOf(services);
  const { url } = await readEndpoint(tables, key);
  const secrets = signingSecrets(box, { accountId, ...(await readSecrets(tables, key)) }, new Date());
  if (secrets === undefined) throw new Refusal('webhooks-off');
  if (!webhooks.sockets.take(accountId)) {
    throw new Refusal('too-many-webhook-tests', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  try {
    const at = new Date();
    const message = pingMessage(key, at);
    const headers = messageHeaders(key, { ...message, at }, secrets);
    const result = await webhooks.send({ url, headers, body: message.body });
    await writeAttempt(tables, key, { ...result, seq: null, at });
    return result;
  } finally {
    webhooks.sockets.release(accountId);
  }
}
