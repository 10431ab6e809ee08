import type { Call } from './calls.js';
import type { components } from './generated.js';

export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
/** With the secret, which the API shows only then. */
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];

interface KeyOption {
  readonly idempotencyKey?: string;
}

export interface WebhookEndpoints {
  create(endpoint: components['schemas']['CreateWebhookEndpoint']): Promise<NewWebhookEndpoint>;
  read(id: number): Promise<WebhookEndpoint>;
  update(
    id: number,
    changes: components['schemas']['ChangeWebhookEndpoint'],
    options?: KeyOption,
  ): Promise<WebhookEndpoint>;
  delete(id: number, options?: KeyOption): Promise<void>;
  /** The old secret signs as well for 24 hours. */
  rotateSecret(id: number): Promise<NewWebhookEndpoint>;
  test(id: number, options?: KeyOption): Promise<components['schemas']['WebhookTest']>;
  /** Tests a disabled endpoint, and goes on where it ended. */
  enable(id: number, options?: KeyOption): Promise<WebhookEndpoint>;
  /** Sends nothing until it is enabled; no event is lost. */
  disable(id: number, options?: KeyOption): Promise<WebhookEndpoint>;
  /** Goes on after this cursor; null: from the first event on. */
  replay(id: number, after: string | null, options?: KeyOption): Promise<WebhookEndpoint>;
}

interface Calls {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
}

const named = (id: number) => ({ params: { path: { id } } });

export function createWebhookEndpoints(calls: Calls): WebhookEndpoints {
  const one = '/webhook-endpoints/{id}';
  return {
    create: async (body) => (await calls.post('/webhook-endpoints', { body })).data,
    read: async (id) => (await calls.get(one, named(id))).data,
    update: async (id, body, options) => (await calls.patch(one, { ...named(id), body, ...options })).data,
    delete: async (id, options) => void (await calls.delete(one, { ...named(id), ...options })),
    rotateSecret: async (id) => (await calls.post(`${one}/rotate-secret`, named(id))).data,
    test: async (id, options) => (await calls.post(`${one}/test`, { ...named(id), ...options })).data,
    enable: async (id, options) => (await calls.post(`${one}/enable`, { ...named(id), ...options })).data,
    disable: async (id, options) => (await calls.post(`${one}/disable`, { ...named(id), ...options })).data,
    replay: async (id, after, options) =>
      (await calls.post(`${one}/replay`, { ...named(id), body: { after }, ...options })).data,
  };
}
