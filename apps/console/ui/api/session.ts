import { signal } from '@preact/signals';
import { asNoAnswer, LedgerError } from './errors.js';
import { firstSession } from './first-view.js';
import type { Role, Session } from './first-view-data.js';
import { personHeader } from './person.js';

/** Undefined: not known yet. Null: the browser has none. */
export const session = signal<Session | null | undefined>(firstSession());

/** The session could not be read. */
export const isAway = signal(false);

/** The session ended under an open page: the page stays as it is, below a log-in. */
export const hasEnded = signal(false);

export const isAdmin = (): boolean => session.value?.account.role === 'admin';

/** What each role includes, as the API has it. */
const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['viewer'],
  trader: ['viewer', 'trader'],
  settler: ['viewer', 'trader', 'settler'],
  approver: ['viewer', 'approver'],
  owner: ['viewer', 'trader', 'settler', 'approver', 'owner'],
};

/** Whether the person may do what needs at least this role. The API decides anyway. */
export const mayDo = (least: Role): boolean => INCLUDED[session.value?.operator.role ?? 'viewer'].includes(least);

/** Beside what is off. */
export const roleHint = (): string => `Your role, ${session.value?.operator.role}, does not allow this.`;

/**
 * Whose ledger a request of the page is about, for whom, and whether a person caused it. The tabs of a browser share its session:
 * when another person has logged in in another tab, the server answers this request as one without a session.
 */
export function pageHeaders(): Readonly<Record<string, string>> {
  const shown = session.peek();
  const ids = shown != null && {
    'Console-Account': String(shown.account.id),
    'Console-Operator': String(shown.operator.id),
  };
  return { ...ids, ...personHeader() };
}

/** Of what the tab stores for the person. */
export const storageKeyOf = (name: string): string => `${session.peek()?.operator.id} ${name}`;

/** The tab may have stored something for a person who had logged in before. */
export function forgetOtherPeople(): void {
  if (session.peek() == null) return;
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(storageKeyOf(''))) sessionStorage.removeItem(key);
  }
}

const PATH = '/session';
/** The addresses of pages that need no session, which mails name, and where these pages post to. */
export const CONFIRM_PATH = '/confirm-email';
export const FORGOT_PATH = '/forgot-password';
export const RESET_PATH = '/reset-password';
export const INVITATION_PATH = '/accept-invitation';

/** Reads the session of this browser. */
export async function readSession(): Promise<void> {
  isAway.value = false;
  try {
    const answer = await fetch(PATH);
    if (!answer.ok) throw new Error('The console does not answer');
    session.value = ((await answer.json()) as { session: Session | null }).session;
  } catch {
    isAway.value = true;
  }
}

/** Tells the server that a person uses the page. A failure shows in the next request that matters. */
export async function keepSession(): Promise<void> {
  if (session.peek() != null) await fetch(PATH, { headers: personHeader() }).catch(() => undefined);
}

async function post(path: string, sent: object): Promise<unknown> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(sent),
  }).catch(asNoAnswer);
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw new LedgerError(`POST ${path}`, answer, body, undefined);
  return body;
}

/** Proves the address of the account for which the token was made, with a session or without. */
export async function confirmEmail(token: string, password: string): Promise<void> {
  await post(CONFIRM_PATH, { token, password });
}

/** Makes the invited person one of the account, with this password. */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  await post(INVITATION_PATH, { token, password });
}

/** Asks for a mail with a code. Nobody hears whether there is such an account. */
export async function askForCode(email: string): Promise<void> {
  await post(FORGOT_PATH, { email });
}

export interface Recovery {
  readonly email: string;
  readonly token: string;
  readonly password: string;
  readonly password_confirmation: string;
}

/** Sets a new password with the code of a mail, and ends all access that there was. */
export async function recover(recovery: Recovery): Promise<void> {
  await post(RESET_PATH, recovery);
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor; empty: none. */
  readonly code: string;
}

/** Logs in. Another person than before may do and see other things: everything is loaded anew. */
export async function logIn({ code, ...credentials }: Credentials): Promise<void> {
  const sent = code === '' ? credentials : { ...credentials, code };
  const { session: begun } = (await post(PATH, sent)) as { session: Session };
  const isAnother = session.value != null && session.value.operator.id !== begun.operator.id;
  if (isAnother) return location.reload();
  session.value = begun;
  forgetOtherPeople();
  hasEnded.value = false;
}

export async function logOut(): Promise<void> {
  const answer = await fetch(PATH, { method: 'DELETE' });
  if (!answer.ok) throw new Error('The log-out failed');
  sessionStorage.clear();
  location.assign('/');
}
