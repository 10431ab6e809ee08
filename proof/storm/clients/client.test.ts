import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { Operation } from '../history.js';
import { Client } from './client.js';
import { KnownAccount } from './known-account.js';
import type { Sender } from './sender.js';

const account = { role: 'plain', name: 'plain-1', email: 'plain-1@storm.example', id: 7 } as const;

/** A client that gets this answer to all requests. */
function clientAnswered(body: unknown): Client {
  const send = (operation: Operation) => Promise.resolve(void operation.answers.push({ status: 200, body }));
  return new Client({
    number: 1,
    known: new KnownAccount(account, 'token'),
    otherAccounts: [],
    chance: createSeededRandom(1),
    sender: { send } as Partial<Sender> as Sender,
    progress: { requests: 0, answered: 0, retries: 0, effects: 0 },
    operations: [],
  });
}

describe('a client', () => {
  it('records only the mismatches of a read: rows of another account', async () => {
    const rows = [{ account_id: 7 }, { account_id: 8 }];
    const read = await clientAnswered({ data: rows }).get('read', '/wagers?per_page=5');
    expect(read.answers).toEqual([{ status: 200, body: { mismatches: [`of another account: {"account_id":8}`] } }]);
  });
});
