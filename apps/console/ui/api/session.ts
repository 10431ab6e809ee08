import { signal } from '@preact/signals';

/** The session as the server tells it. The API token stays with the server. */
export interface Session {
  readonly account: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly role: 'business' | 'admin';
  };
  /** The address of the API for programs, as links and examples show it. */
  readonly apiUrl: string;
}

/** Undefined: not known yet. Null: the browser has none. */
export const session = signal<Session | null | undefined>(undefined);

/** The session ended under an open page: the page stays as it is, below a log-in. */
export const hasEnded = signal(false);

export const isAdmin = (): boolean => session.value?.account.role === 'admin';

const PATH = '/session';

export class LoginRefused extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** Reads the session of this browser. */
export async function readSession(): Promise<void> {
  const answer = await fetch(PATH);
  if (!answer.ok) throw new Error('The console does not answer');
  session.value = ((await answer.json()) as { session: Session | null }).session;
}

async function refusalIn(answer: Response): Promise<LoginRefused> {
  const body = await answer.json().catch(() => ({}));
  const { error } = body as { error?: unknown };
  const seconds = Number(answer.headers.get('Retry-After') ?? Number.NaN);
  return new LoginRefused(typeof error === 'string' ? error : 'The log-in failed', seconds || undefined);
}

/** Logs in. Another account than before means another ledger: everything is loaded anew. */
export async function logIn(email: string, password: string): Promise<void> {
  const answer = await fetch(PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw await refusalIn(answer);
  const { session: begun } = (await answer.json()) as { session: Session };
  const isAnother = session.value != null && session.value.account.id !== begun.account.id;
  if (isAnother) location.reload();
  session.value = begun;
  hasEnded.value = false;
}

export async function logOut(): Promise<void> {
  const answer = await fetch(PATH, { method: 'DELETE' });
  if (!answer.ok) throw new Error('The log-out failed');
  sessionStorage.clear();
  location.assign('/');
}
