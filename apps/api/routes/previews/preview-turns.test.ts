import { describe, expect, it } from '@jest/globals';
import { quotas } from '#platform/quotas/quotas.js';
import { countLockWaits } from '#testing/databases.js';
import { valueIn } from '#testing/metrics.js';
import { startTestApi } from '#testing/parts.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

const api = withTestApi();

interface PreviewOptions {
  readonly signal?: AbortSignal | null;
  readonly baseUrl?: string;
}

async function account(registeredFrom: string | null = null) {
  const { token, id } = await createQuickAccount(api.database, { registeredFrom });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const operation = { type: 'update_wager_outcome', reference: 'nowhere', outcome: 'win' };
  const body = JSON.stringify({ operation });
  return {
    preview: ({ signal = null, baseUrl = api.client.baseUrl }: PreviewOptions = {}) =>
      fetch(`${baseUrl}/previews`, { method: 'POST', headers, body, signal }),
    list: (path: string) => fetch(`${api.client.baseUrl}${path}`, { headers }),
    countPreviews: async () => {
      const rows = await api.database.query('SELECT FROM previews WHERE account_id = $1', [id]);
      return rows.length;
    },
  };
}

/** Runs `use` while every preview waits for the wagers. */
async function whilePreviewsStand(use: (goOn: () => Promise<unknown>) => Promise<void>): Promise<void> {
  await withPostgresClient({ connectionString: api.database.url }, async (client) => {
    await client.query('BEGIN; LOCK TABLE wagers IN ACCESS EXCLUSIVE MODE');
    await use(() => client.query('COMMIT'));
  });
}

const statusesOf = async (answers: readonly Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

describe('previews', () => {
  it('of several accounts leave the lists of others alone, and two are computed at once', async () => {
    const [other, ...busy] = await Promise.all(Array.from({ length: 6 }, () => account()));
    await whilePreviewsStand(async (goOn) => {
      const previews = busy.flatMap(({ preview }) => [preview(), preview()]);
      await waitFor(async () => (await countLockWaits(api.database)) === 2);
      const lists = Array.from({ length: 20 }, () => other?.list('/account/user') as Promise<Response>);
      expect(new Set(await statusesOf(lists))).toEqual(new Set([200]));
      expect(await countLockWaits(api.database)).toBe(2);
      await goOn();
      expect(new Set(await statusesOf(previews))).toEqual(new Set([200]));
    });
  });

  it('that wait are bounded for an account and for a network, and others wait besides', async () => {
    const near = await Promise.all(Array.from({ length: 3 }, () => account('192.0.2.0/24')));
    const elsewhere = await account('198.51.100.0/24');
    await whilePreviewsStand(async (goOn) => {
      let refused = 0;
      const previews = near.flatMap(({ preview }) =>
        Array.from({ length: quotas.previews.account }, async () => {
          const answer = await preview();
          if (answer.status === 429) refused += 1;
          return answer;
        }),
      );
      await waitFor(() => refused === 3 * quotas.previews.account - quotas.previews.network);
      const other = elsewhere.preview();
      await goOn();
      const statuses = await statusesOf([...previews, other]);
      expect(statuses.filter((status) => status === 200)).toHaveLength(quotas.previews.network + 1);
    });
  });

  it('of a caller that has hung up are not computed, nor kept', async () => {
    const { preview, countPreviews } = await account();
    const countHungUp = async () => {
      const { body } = await api.client.get('/metrics');
      const labels = { method: 'POST', route: '/previews', status: 'aborted' };
      return valueIn(body as string, 'ledger_http_request_duration_seconds_count', labels);
    };
    await whilePreviewsStand(async (goOn) => {
      const hangingUp = new AbortController();
      const previews = [preview(hangingUp), preview(hangingUp)];
      await waitFor(async () => (await countLockWaits(api.database)) === 1);
      hangingUp.abort();
      await Promise.allSettled(previews);
      await waitFor(async () => (await countHungUp()) === 2);
      await goOn();
    });
    expect((await preview()).status).toBe(200);
    expect(await countPreviews()).toBe(1);
  });

  it('that are late are answered as reads: nothing was to be done', async () => {
    const hasty = await startTestApi(api.environment, { REQUEST_DEADLINE: '2s' });
    try {
      const { preview } = await account();
      await whilePreviewsStand(async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => preview({ baseUrl: hasty.client.baseUrl })));
        const errors = await Promise.all(answers.map((answer) => answer.json() as Promise<object>));
        const late = { status: 503, error: 'The service is temporarily unavailable' };
        expect(errors).toEqual(Array.from({ length: 6 }, () => late));
      });
    } finally {
      await hasty.close();
    }
  });
});
