import { createHmac } from 'node:crypto';

// Standard Webhooks 1.0.0: https://github.com/standard-webhooks/standard-webhooks

export interface SignedMessage {
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
  /** Of this attempt. */
  readonly at: Date;
}

const MS = 1_000;

/** Of each secret one signature: while an old secret lives, the receiver may check by either. */
export function signedHeaders({ id, body, at }: SignedMessage, secrets: readonly Buffer[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / MS);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
