import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type VerifyOptions, verifyWebhook, WebhookRejected } from './verify-webhook.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const id = 'evt_7_4711';
const sentAt = new Date('2026-01-15T20:45:12Z');
const body = '{"type":"ping","timestamp":"2026-01-15T20:45:12.000Z","data":{"webhook_endpoint_id":3}}';

const signedBy = (...secrets: string[]) => ({
  'webhook-id': id,
  'webhook-timestamp': String(sentAt.getTime() / 1_000),
  'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, sentAt, body)).join(' '),
});

const verify = (more: Partial<VerifyOptions> = {}) =>
  verifyWebhook({ secret, body, headers: signedBy(secret), now: () => sentAt, ...more });

describe('verifyWebhook', () => {
  it('takes what the reference library has signed, in both kinds of headers and bodies', () => {
    expect(verify()).toEqual(JSON.parse(body));
    expect(verify({ headers: new Headers(signedBy(secret)), body: Buffer.from(body) })).toEqual(JSON.parse(body));
  });

  it('takes any right signature of a list, by any of the secrets', () => {
    expect(verify({ headers: signedBy(other, secret) })).toEqual(JSON.parse(body));
    expect(verify({ secret: [other, secret] })).toEqual(JSON.parse(body));
    const headers = { ...signedBy(secret) };
    headers['webhook-signature'] = `v1a,AAAA v1,AAAA ${headers['webhook-signature']}`;
    expect(verify({ headers })).toEqual(JSON.parse(body));
  });

  it.each([
    ['another secret', { secret: other }],
    ['another body', { body: body.replace('3}', '4}') }],
    ['another id', { headers: { ...signedBy(secret), 'webhook-id': 'evt_7_4712' } }],
    ['another time', { headers: { ...signedBy(secret), 'webhook-timestamp': '1768509913' } }],
    ['no time', { headers: { ...signedBy(secret), 'webhook-timestamp': 'now' } }],
    ['no signature', { headers: { 'webhook-id': id, 'webhook-timestamp': '1768509912' } }],
    ['an empty signature', { headers: { ...signedBy(secret), 'webhook-signature': 'v1,' } }],
    [
      'another version',
      {
        headers: {
          ...signedBy(secret),
          'webhook-signature': `v2,${createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.1768509912.${body}`).digest('base64')}`,
        },
      },
    ],
    ['an old request', { now: () => new Date(sentAt.getTime() + 301_000) }],
    ['one that is ahead', { now: () => new Date(sentAt.getTime() - 301_000) }],
  ])('rejects %s', (_what, more) => {
    expect(() => verify(more)).toThrow(WebhookRejected);
  });

  it('takes what is five minutes old, and as old as it is told to', () => {
    expect(() => verify({ now: () => new Date(sentAt.getTime() + 300_000) })).not.toThrow();
    expect(() => verify({ toleranceSeconds: 900, now: () => new Date(sentAt.getTime() + 900_000) })).not.toThrow();
  });
});
