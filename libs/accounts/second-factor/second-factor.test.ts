import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '#platform/config/time-units.js';
import { createSealedBox, type SealedBox } from '#platform/secrets/sealed-box.js';
import { type OpenAccount, refusalOf, type Session, useAccounts } from '#testing/accounts-fixture.js';
import { factorCodeOf } from '#testing/second-factor.js';
import { createForgottenPassword } from '../password-changes.js';
import { logIn } from '../sessions.js';
import { resealFactors } from './reseal-factors.js';
import { addSecondFactor, confirmNewFactor } from './second-factor.js';

const accounts = useAccounts();
const STEP_MS = 30_000;

type Enrolled = OpenAccount & Session & { readonly secret: string };

const databaseMs = async (): Promise<number> => {
  const [row] = await accounts.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
  return Number(row?.ms);
};

/** Gives the work PostgreSQL's time, and repeats it when the time was over the end of a step meanwhile. */
async function withinStep<Result>(work: (nowMs: number) => Promise<Result>): Promise<Result> {
  const beganMs = await databaseMs();
  const result = await work(beganMs);
  const isSame = Math.floor(beganMs / STEP_MS) === Math.floor((await databaseMs()) / STEP_MS);
  return isSame ? result : withinStep(work);
}

/** The clock of the process is of no account. */
async function enrolled(): Promise<Enrolled> {
  const account = await accounts.registerAndLogIn();
  const { accountId, operatorId, tokenId, password } = account;
  const request = { accountId, operatorId, tokenId };
  const begun = await addSecondFactor(accounts.context, { ...request, password });
  const code = factorCodeOf(begun?.secret ?? '', await databaseMs());
  await confirmNewFactor(accounts.later(HOUR_MS), { ...request, code });
  return { ...account, secret: begun?.secret ?? '' };
}

/** With the code of so many steps from now, in a process whose clock shows another time. */
const logInWith = ({ email, password, operatorId, secret }: Enrolled, steps: number) =>
  withinStep(async (nowMs) => {
    await accounts.query('UPDATE operators SET second_factor_step = 0 WHERE id = $1', [operatorId]);
    const code = factorCodeOf(secret, nowMs + steps * STEP_MS);
    return logIn(accounts.later(HOUR_MS), { email, password, code });
  });

describe('a log-in with a code', () => {
  it.each([-1, 0, 1])('lets the clock of a phone be %d steps off that of PostgreSQL', async (steps) => {
    expect(await logInWith(await enrolled(), steps)).toEqual(expect.any(String));
  });

  it.each([-2, 2])('lets no clock be %d steps off, and notes a wrong log-in', async (steps) => {
    const account = await enrolled();
    const noted = accounts.wrongLogins.length;
    expect(await logInWith(account, steps)).toBeUndefined();
    expect(accounts.wrongLogins.slice(noted)[0]).toMatchObject({ accountId: account.id });
  });

  it('makes no session when a second factor was added while the password was checked', async () => {
    const account = await accounts.registerAndLogIn();
    const slow = {
      ...accounts.context.passwords,
      matches: async (given: string, hash: string | undefined) => {
        await accounts.query(
          `UPDATE operators SET second_factor_at = now(), second_factor_step = 1, second_factor_secret = $2 WHERE id = $1`,
          [account.operatorId, accounts.context.factorBox?.seal('nobody', randomBytes(20))],
        );
        return accounts.context.passwords.matches(given, hash);
      },
    };
    expect(await logIn({ ...accounts.context, passwords: slow }, account)).toBeUndefined();
  });
});

describe('a forgotten password', () => {
  it('leaves the second factor as it is', async () => {
    const account = await enrolled();
    const code = await accounts.resetCode(account);
    const newPassword = 'a recovered horse 7';
    await createForgottenPassword(accounts.context, { email: account.email, code, newPassword, endsAccess: true });
    const given = { email: account.email, password: newPassword };
    expect(await refusalOf(logIn(accounts.context, given))).toBe('login-code-needed');
    expect(await logIn(accounts.context, { ...given, code: '000000' })).toBeUndefined();
    expect(await logInWith({ ...account, password: newPassword }, 0)).toEqual(expect.any(String));
  });
});

describe('a new key of the service', () => {
  it('encrypts the secrets anew, and leaves those whose key it does not have', async () => {
    const account = await enrolled();
    const [old, young, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const owner = `second factor of operator ${account.operatorId} of account ${account.id}`;
    const secret = randomBytes(20);
    const store = (box: SealedBox | undefined) =>
      accounts.query('UPDATE operators SET second_factor_secret = $2 WHERE id = $1', [
        account.operatorId,
        box?.seal(owner, secret),
      ]);
    const stored = async () =>
      String(
        (await accounts.query('SELECT second_factor_secret FROM operators WHERE id = $1', [account.operatorId]))[0]
          ?.second_factor_secret,
      );
    const box = createSealedBox([young, old]) as SealedBox;
    await store(createSealedBox([old]));
    expect(await resealFactors(accounts.database.shared, box)).toMatchObject({ resealed: 1 });
    expect(createSealedBox([young])?.open(owner, await stored())).toEqual(secret);
    expect(await resealFactors(accounts.database.shared, box)).toMatchObject({ resealed: 0 });
    await store(createSealedBox([stranger]));
    const before = await stored();
    expect((await resealFactors(accounts.database.shared, box)).unreadable).toBeGreaterThan(0);
    expect(await stored()).toBe(before);
  });
});
