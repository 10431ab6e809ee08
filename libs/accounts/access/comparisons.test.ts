import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SERVICE } from './fair-line.js';
import { createPasswords } from './passwords.js';
import { sameHash, sha256 } from './secrets.js';

// The time of a comparison that ends at the first difference reveals how much of a secret was right. So secrets are found by
// their hash, compared by timingSafeEqual, or checked by bcrypt. The test searches the sources for other comparisons.

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const OPERAND = String.raw`[\w$.?!()[\]]+`;
const COMPARISON = new RegExp(String.raw`(${OPERAND})\s*(?:===|!==|==|!=)\s*(${OPERAND}|'[^']*'|"[^"]*")`, 'g');
/** These end at the first difference as well. */
const OTHER_COMPARISON = /\.(?:equals|compare|localeCompare)\(.*/g;
const SECRET = /(password|passphrase|secret|token|hash|apikey|authorization|credential|confirmation)\w*\W*$/i;
const SECRET_CODE = /\b(reset|given|right|forgotten)\w*\.?code\W*$/i;
/** A comparison with one of these only asks whether there is a value. */
const KNOWN_VALUE = /^(undefined|null|true|false|\d+n?|'.*'|".*")[()!]*$/;

const isSecret = (operand: string) => SECRET.test(operand) || SECRET_CODE.test(operand);
const isTelling = (left: string, right: string) =>
  !KNOWN_VALUE.test(left) && !KNOWN_VALUE.test(right) && (isSecret(left) || isSecret(right));

function comparisonsIn(source: string): string[] {
  const found: string[] = [];
  for (const line of source.split('\n').filter((text) => !/^\s*(\/\/|\/?\*)/.test(text))) {
    for (const [all, left = '', right = ''] of line.matchAll(COMPARISON)) if (isTelling(left, right)) found.push(all);
    for (const [call] of line.matchAll(OTHER_COMPARISON)) found.push(call);
  }
  return found;
}

function sourcesIn(folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/\/(generated|testing)\//.test(file))
    .sort();
}

/** Comparisons of values that are no secret, or of which the caller has sent both sides. */
const HARMLESS = [
  // The hash of an event; a position in the log holds no secret.
  'libs/events/event-position.ts: digits !== HASH_OF_BEGINNING))',
  // Of the caller's body.
  'libs/http/json-lines.ts: .equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;',
  // The hash of a request; the answers of requests with a secret are not stored.
  'libs/idempotency/stored-answers.ts: stored.requestHash === request.requestHash',
  'libs/idempotency/stored-answers.ts: stored.requestHash === request.formerHash?.()',
  // The hash of the texts of the functions of the database.
  'libs/platform/database/functions.ts: known.hash === hash',
  // The filters of a list; a cursor holds no secret.
  'libs/reads/cursor.ts: (hash !== hashOf(scope))',
  // A new password and its confirmation, from one body.
  'apps/api/routes/accounts/create-password.ts: (body.password !== body.password_confirmation)',
  'apps/api/routes/accounts/reset-password.ts: (body.new_password !== body.password_confirmation)',
];

const files = ['libs', 'apps'].flatMap(sourcesIn);
const sourceOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('random values', () => {
  it('of secrets come from the platform: Math.random spreads pauses alone', () => {
    expect(files.filter((file) => sourceOf(file).includes('Math.random'))).toEqual([
      'apps/console/ui/live/follow.ts',
      'apps/worker/failures-in-a-row.ts',
      'apps/worker/start-webhooks.ts',
    ]);
    expect(sourceOf('libs/accounts/access/secrets.ts')).toMatch(
      /import \{[^}]*randomBytes, randomInt[^}]*\} from 'node:crypto'/,
    );
  });
});

describe('comparisons of secrets', () => {
  it('take the same time wherever the difference is', () => {
    expect(files.length).toBeGreaterThan(150);
    const found = files.flatMap((file) => comparisonsIn(sourceOf(file)).map((comparison) => `${file}: ${comparison}`));
    expect(found).toEqual(HARMLESS);
  });

  it.each([
    'if (given === token) return account;',
    'return row.apiSecretHash == sha256(apiSecret);',
    'const isRight = password !== stored;',
    'rows.find(({ code }) => resetCode === given.code);',
    'return sha256(apiSecret).equals(stored);',
    'while (request.headers.authorization !== expected) wait();',
  ])('would not get past this test: %s', (source) => {
    expect(comparisonsIn(source)).toHaveLength(1);
  });

  it('of hashes are those of the platform', () => {
    expect(sourceOf('libs/accounts/access/secrets.ts')).toContain(
      'left.length === right.length && timingSafeEqual(left, right)',
    );
    const users = files.filter((file) => /timingSafeEqual|sameHash/.test(sourceOf(file)));
    expect(users).toEqual([
      'libs/accounts/access/authenticator.ts',
      'libs/accounts/access/secrets.ts',
      'libs/http/console-secret.ts',
      'libs/http/metrics/metrics-page.ts',
    ]);
    const [one, other] = [sha256('one'), sha256('other')];
    expect([sameHash(one, sha256('one')), sameHash(one, other), sameHash(one, one.subarray(1))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of passwords take as long without a stored hash', async () => {
    const shared = createPasswords(10);
    const passwords = shared.for(SERVICE);
    const hash = await passwords.hash('a right password');
    expect(await passwords.matches('a right password', hash)).toBe(true);
    const timeOf = async (given: string | undefined) => {
      const startedAt = performance.now();
      expect(await passwords.matches('a wrong password', given)).toBe(false);
      return performance.now() - startedAt;
    };
    // By turns: the first one starts the thread, and other work of the machine makes any of them take longer.
    let [without, withOne] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let times = 0; times < 4; times += 1) {
      without = Math.min(without, await timeOf(undefined));
      withOne = Math.min(withOne, await timeOf(hash));
    }
    // bcrypt takes tens of milliseconds; a call without bcrypt takes none.
    expect(without).toBeGreaterThan(withOne / 5);
    await shared.close();
  });
});
