import { createLedgerClient, type LedgerClient } from '#clients/typescript/client.js';
import type { TestClient } from './client.js';
import { ok } from './test-business.js';
import { waitFor } from './wait-for.js';

export interface TestSandbox {
  readonly id: number;
  /** With the sandbox's own key. */
  readonly client: TestClient;
  readonly ledger: LedgerClient;
  /** Moves its clock, and waits until the worker has run what is due. */
  advance(body: object): Promise<void>;
}

/** A new sandbox of the caller's business. */
export async function openSandbox(business: TestClient, name = 'tests'): Promise<TestSandbox> {
  const { id, api_key, api_secret, base64_encoded } = ok(await business.post('/account/sandboxes', { name })).data;
  const client = business.as({ base64: base64_encoded });
  const isReady = async () => ok(await client.get('/sandbox/clock'), 200).data.ready as boolean;
  return {
    id,
    client,
    ledger: createLedgerClient({ baseUrl: client.baseUrl, apiKey: api_key, apiSecret: api_secret }),
    async advance(body) {
      ok(await client.post('/sandbox/clock', body), 202);
      await waitFor(isReady);
    },
  };
}

/** Two users with money. */
export async function fundUsers(client: TestClient, references: readonly string[] = ['ann', 'bob']): Promise<void> {
  for (const reference of references) {
    ok(await client.post('/account/user', { name: reference, reference }));
    ok(await client.post('/transactions/fund-user', { user_reference: reference, amount: 1_000 }));
  }
}
