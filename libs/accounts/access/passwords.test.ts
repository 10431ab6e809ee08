import { pbkdf2 } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { unlessStandingStill } from '#testing/standstills.js';
import { type Asker, SERVICE } from './fair-line.js';
import { createHashingQueue, type HashingQueue } from './hashing-queue.js';
import { createPasswords, type Passwords } from './passwords.js';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function passwordsOf(cost: number): Passwords {
  const passwords = createPasswords(cost);
  opened.push(passwords);
  return passwords.for(STRANGER);
}

function openQueue(): HashingQueue {
  const queue = createHashingQueue();
  opened.push(queue);
  return queue;
}

const strangerOf = (name: string): Asker => ({ networks: [{ name, share: 8 }], isFamiliar: false });
const STRANGER = strangerOf('elsewhere');

const hashOf = (password: string) => ({ kind: 'hash', password, cost: 10 }) as const;
const OVERLOADED = { code: 'overloaded', retryAfterSeconds: 5 };

/** The nice value of a thread of this process: the 19th field of its `stat` in Linux. */
function niceValueOf(thread: number | string): number {
  const [, afterName = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ');
  return Number(afterName.split(' ')[16]);
}

describe('hashing', () => {
  it('leaves the threads of Node free: other work overtakes it', () =>
    // While this process stands still, its thread may go on.
    unlessStandingStill(async () => {
      const passwords = passwordsOf(10);
      const order: string[] = [];
      const note = (name: string) => () => order.push(name);
      const hashes = Array.from({ length: 6 }, () => passwords.hash('a password').then(note('hash')));
      await promisify(pbkdf2)('another', 'salt', 1, 32, 'sha256').then(note('other work'));
      await Promise.all(hashes);
      expect(order.indexOf('other work')).toBeLessThanOrEqual(1);
      expect(order).toHaveLength(7);
    }));

  (process.platform === 'linux' ? it : it.skip)('runs in a thread of lower priority than requests', async () => {
    await passwordsOf(10).hash('a password');
    expect(readdirSync('/proc/self/task').map(niceValueOf)).toContain(2);
    // The main thread has the id of the process. Its priority does not change.
    expect(niceValueOf(process.pid)).toBe(0);
  });

  it('refuses when too many wait', async () => {
    const queue = openQueue();
    const accepted = Array.from({ length: 101 }, () =>
      queue.run(hashOf('a password'), STRANGER).catch((error) => error),
    );
    expect(() => queue.assertRoom(STRANGER)).toThrow('Too much is waiting: try again');
    await expect(queue.run(hashOf('one more'), STRANGER)).rejects.toMatchObject(OVERLOADED);
    expect(await accepted[0]).toMatch(/^\$2b\$10\$/);
    await queue.close();
    expect(await accepted[100]).toMatchObject(OVERLOADED);
  });

  it('keeps places for familiar askers, who go first, and gives strangers every fourth turn', async () => {
    const queue = openQueue();
    const order: string[] = [];
    const ask = (name: string, asker: Asker) => queue.run(hashOf('a password'), asker).then(() => order.push(name));
    const strangers = Array.from({ length: 101 }, (_, index) => ask('stranger', strangerOf(`network ${index}`)));
    for (const task of strangers) task.catch(() => undefined);
    expect(() => queue.assertRoom(strangerOf('one more'))).toThrow('Too much is waiting: try again');
    expect(() => queue.assertRoom(SERVICE)).not.toThrow();
    await Promise.all(Array.from({ length: 4 }, () => ask('familiar', SERVICE)));
    expect(order).toEqual(['stranger', 'familiar', 'familiar', 'familiar', 'stranger', 'familiar']);
  });

  it('refuses what has waited too long', async () => {
    const queue = openQueue();
    const first = queue.run(hashOf('a password'), STRANGER);
    const second = queue.run(hashOf('a password'), STRANGER);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 8_001);
    await expect(second).rejects.toMatchObject(OVERLOADED);
    expect(await first).toMatch(/^\$2b\$10\$/);
  });

  it('goes on in another thread after one has failed', async () => {
    const queue = openQueue();
    const failed = queue.run(hashOf(undefined as unknown as string), STRANGER);
    const next = queue.run(hashOf('a password'), STRANGER);
    await expect(failed).rejects.toThrow('must be of type string');
    expect(await next).toMatch(/^\$2b\$10\$/);
  });
});

describe('passwords', () => {
  it.each([
    ['72 bytes', 'x'.repeat(72), `${'x'.repeat(71)}y`],
    ['64 characters of four bytes', '🎲'.repeat(64), `${'🎲'.repeat(63)}🎯`],
    ['the 72 bytes that bcrypt would read, and more', '🎲'.repeat(18), '🎲'.repeat(64)],
    ['more, and the 72 bytes that bcrypt would read', '🎲'.repeat(64), '🎲'.repeat(18)],
  ])('are compared whole: %s', async (_case, password, other) => {
    const passwords = passwordsOf(10);
    const hash = await passwords.hash(password);
    expect([await passwords.matches(password, hash), await passwords.matches(other, hash)]).toEqual([true, false]);
  });

  it('take as long with a hash of a lower cost as without one', async () => {
    const old = await passwordsOf(10).hash('a password');
    const passwords = passwordsOf(12);
    expect([passwords.isOutdated(old), passwordsOf(10).isOutdated(old)]).toEqual([true, false]);
    const timeOf = async (hash: string | undefined) => {
      const startedAt = performance.now();
      expect(await passwords.matches('a wrong password', hash)).toBe(false);
      return performance.now() - startedAt;
    };
    // By turns: the first one starts the thread, and other work of the machine makes any of them take longer.
    let [without, withOne] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let times = 0; times < 3 || (times < 12 && withOne <= without / 2); times += 1) {
      without = Math.min(without, await timeOf(undefined));
      withOne = Math.min(withOne, await timeOf(old));
    }
    // Without the difference made up for, it would be a quarter.
    expect(withOne).toBeGreaterThan(without / 2);
    expect(await passwords.matches('a password', old)).toBe(true);
  });

  it('match no text that is no hash', async () => {
    expect(await passwordsOf(10).matches('-', '-')).toBe(false);
  });
});
