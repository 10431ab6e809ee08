import { type Schemas, type StormAccount, successOf } from '../history.js';
import type { Client } from './client.js';

// Accounts and their mails. Requests without a credential or with a password take no Idempotency-Key: when an answer is
// lost, the text of the second answer shows that the first try took effect.

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'staple battery horse';
const KEYLESS = { keyed: false, expected: 'success or refusal' } as const;
/** Far below the API's limit of thirty mails an hour. */
const MOST_MAILS_AGAIN = 3;

export const emailOf = (name: string): string => `${name}@storm.example`;

export async function register(client: Client, account: StormAccount): Promise<void> {
  const body = { name: account.name, email: account.email, password: PASSWORD } satisfies Schemas['Register'];
  await client.post('register', '/auth/register/account', body, { ...KEYLESS, account, token: undefined });
}

export async function logIn(client: Client, account: StormAccount): Promise<string | undefined> {
  const body = { email: account.email, password: PASSWORD } satisfies Schemas['LogIn'];
  const options = { keyed: false, expected: 'success', account, token: undefined } as const;
  const operation = await client.post('log-in', '/auth/login/account', body, options);
  return successOf<{ readonly data: Schemas['AccessToken'] }>(operation)?.data.token;
}

/** A business registers, requests its mails again and a reset code, and changes its password. */
export async function joinWithMails(client: Client): Promise<void> {
  const { chance } = client;
  const name = `fresh-${client.newName()}`;
  const account: StormAccount = { role: 'fresh', name, email: emailOf(name), id: 0 };
  await register(client, account);
  for (let mails = chance.below(MOST_MAILS_AGAIN); mails > 0; mails -= 1) {
    const body = { email: account.email } satisfies Schemas['ForgotPassword'];
    const options = { keyed: false, expected: 'success', account, token: undefined } as const;
    await client.post('forgot-password', '/auth/account/forgot-password', body, options);
  }
  const token = await logIn(client, account);
  if (token === undefined) return;
  for (let mails = chance.below(MOST_MAILS_AGAIN); mails > 0; mails -= 1) {
    const options = { expected: 'success', account, token } as const;
    await client.post('resend-verification', '/auth/account/resend-verification-email', undefined, options);
  }
  if (chance.happens(0.5)) await changePassword(client, account, token);
}

async function changePassword(client: Client, account: StormAccount, token: string): Promise<void> {
  const body = { password: PASSWORD, new_password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD };
  const options = { ...KEYLESS, account, token };
  await client.post('reset-password', '/auth/account/reset-password', body satisfies Schemas['ResetPassword'], options);
}
