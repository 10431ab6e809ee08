import { Secret, TOTP } from 'otpauth';
import type { LoggedIn, TestAccount, TestClient } from './client.js';
import type { TestDatabase } from './databases.js';
import { createQuickAccount } from './quick-accounts.js';
import { ok } from './test-business.js';

const PATH = '/auth/account/second-factor';

/** What the app of a person shows at a moment. */
export const factorCodeOf = (secret: string, at = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** A code that is none at any time near this one. */
export function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => factorCodeOf(secret, Date.now() + steps * 30_000));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
}

export interface EnrolledFactor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The operator of the client adds a second factor. */
export async function addFactor(
  client: TestClient,
  { password }: Pick<TestAccount, 'password'>,
): Promise<EnrolledFactor> {
  const { secret } = ok(await client.post(PATH, { password })).data;
  const { recovery_codes: recoveryCodes } = ok(
    await client.post(`${PATH}/confirm`, { code: factorCodeOf(secret) }),
    200,
  ).data;
  return { secret, recoveryCodes };
}

/** As if the person had added one: its secret opens nothing. */
export async function giveFactor(database: Pick<TestDatabase, 'query'>, operatorId: number): Promise<void> {
  const sealed = `00000000:${'a'.repeat(60)}`;
  await database.query(
    'UPDATE operators SET second_factor_at = now(), second_factor_step = 0, second_factor_secret = $2 WHERE id = $1',
    [operatorId, sealed],
  );
}

/** Each code works once. Afterwards the present one works again. */
export async function forgetUsedCodes(database: TestDatabase, { email }: Pick<LoggedIn, 'email'>): Promise<void> {
  await database.query('UPDATE operators SET second_factor_step = 0 WHERE email = $1', [email]);
}

/** As if the person had last proved to use the session so long ago. */
export async function ageProof(database: TestDatabase, token: string, ago: string): Promise<void> {
  const [accountId] = token.split('.');
  await database.query(`UPDATE access_tokens SET proved_at = now() - $2::interval WHERE account_id = $1`, [
    accountId,
    ago,
  ]);
}

/** Of an account that asks for a second factor: its operator has none. */
export async function tokenWithoutFactor(database: TestDatabase): Promise<string> {
  const { id, token } = await createQuickAccount(database);
  const preferences = { require_second_factor: true };
  await database.query('UPDATE accounts SET preferences = $2 WHERE id = $1', [id, preferences]);
  return token;
}

/** Every route of a second factor, with answers of every kind. */
export async function walkThroughFactor(client: TestClient, owner: TestClient, { email, password }: TestAccount) {
  const confirm = (more: object = {}) => owner.post('/auth/account/confirm', { password, ...more });
  const require = (required: boolean) => owner.patch('/auth/account/preferences', { require_second_factor: required });
  ok(await confirm(), 200);
  const { secret, recoveryCodes } = await addFactor(owner, { password });
  ok(await owner.get(PATH), 200);
  ok(await owner.get('/auth/account/preferences'), 200);
  ok(await require(true), 200);
  ok(await require(false), 200);
  ok(await client.post('/auth/login/account', { email, password }), 401);
  ok(await confirm(), 403);
  ok(await confirm({ code: wrongCodeOf(secret) }), 400);
  ok(await owner.post(PATH, { password }), 409);
  ok(await owner.delete(PATH, { body: { password, code: recoveryCodes[0] } }), 200);
}
