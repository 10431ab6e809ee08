import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { waitFor } from '#testing/wait-for.js';
import { isDatabaseAway } from './errors.js';
import { Server } from './server.js';

let database: TestDatabase;
let server: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  server = new Server({ url: database.url, connections: 4, onConnectionError: () => undefined });
});

afterAll(async () => {
  await server?.disconnect();
  await database?.drop();
});

const NAME = 'SHOW application_name';

/** What Prisma and the driver say in a transaction on a connection that `beforeUse` has given the name. */
const namesIn = (name: string) =>
  server.transact(
    async (prisma, connection) => {
      const [row] = await prisma.$queryRawUnsafe<{ application_name: string }[]>(NAME);
      return [row?.application_name, ...(await connection.query({ text: NAME })).rows];
    },
    {},
    async (client) => void (await client.query(`SET application_name = '${name}'`)),
  );

const countConnections = async () =>
  (await database.query('SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()'))[0]?.n;

describe('a connection for a transaction', () => {
  it('is the one that was prepared for it, also when many are opened at once', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `transaction ${index}`);
    const plain = names.map(() => server.run((prisma) => prisma.$queryRaw`SELECT 1`));
    expect(await Promise.all(names.map(namesIn))).toEqual(names.map((name) => [name, { application_name: name }]));
    await Promise.all(plain);
  });

  it('is not waited for when Prisma refuses the transaction before', async () => {
    const refused = server.transact(async () => undefined, { timeout: 0 });
    const next = namesIn('next');
    await expect(refused).rejects.toThrow('timeout is required');
    expect((await next)[0]).toBe('next');
  });

  it('is not made any more when the database disconnects meanwhile', async () => {
    const before = await countConnections();
    const closing = new Server({ url: database.url, connections: 4, onConnectionError: () => undefined });
    const opening = Array.from({ length: 10 }, () => closing.transact(async () => undefined).catch(isDatabaseAway));
    await closing.disconnect();
    expect(await Promise.all(opening)).toEqual(opening.map(() => true));
    await waitFor(async () => (await countConnections()) === before);
  });

  it('is refused to a transaction that Prisma opens by itself', async () => {
    const verificationTokens = { create: { tokenHash: Uint8Array.of(1), expiresAt: new Date() } };
    const nested = server.run(({ account }) =>
      account.create({ data: { name: 'Ann', email: 'ann@example.com', verificationTokens } }),
    );
    await expect(nested).rejects.toThrow('Prisma has opened a transaction by itself');
  });

  it('is closed when it cannot be prepared, and the next transaction gets another one', async () => {
    const failing = server.transact(
      async () => undefined,
      {},
      async () => Promise.reject(new Error('not fit')),
    );
    await expect(failing).rejects.toThrow('not fit');
    expect((await namesIn('other'))[0]).toBe('other');
  });

  it('is prepared for a statement that needs it, outside of a transaction too', async () => {
    const prepare = async (client: { query(text: string): Promise<unknown> }) =>
      void (await client.query(`SET application_name = 'statement'`));
    const [row] = await server.run((prisma) => prisma.$queryRawUnsafe<unknown[]>(NAME), prepare);
    expect(row).toEqual({ application_name: 'statement' });
    const { rows } = await server.send((driver) => driver.query({ text: NAME }), prepare);
    expect(rows).toEqual([{ application_name: 'statement' }]);
  });
});
