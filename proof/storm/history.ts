import type { components } from '#clients/typescript/client.js';

// Everything that the clients asked for, and what they were answered.

export type Schemas = components['schemas'];
export type Outcome = Schemas['Outcome'];

/**
 * `plain`: small wagers, so that each is settled by its own decision, and nobody corrects. `bulk`: large wagers, which
 * the workers settle. `corrected`: an admin corrects its wagers and bets. `fresh`: registered on the way, for its mails.
 */
export type AccountRole = 'plain' | 'bulk' | 'corrected' | 'admin' | 'fresh';

export interface StormAccount {
  readonly role: AccountRole;
  readonly name: string;
  readonly email: string;
  readonly id: number;
}

export type Kind =
  | 'make-offer'
  | 'accept-offer'
  | 'cancel-offer'
  | 'batch'
  | 'decide'
  | 'override'
  | 'fund'
  | 'withdraw'
  | 'create-user'
  | 'change-user'
  | 'read-user'
  | 'read-users'
  | 'read'
  | 'register'
  | 'log-in'
  | 'resend-verification'
  | 'forgot-password'
  | 'reset-password'
  | 'force-outcome'
  | 'force-override'
  | 'set-active'
  | 'set-inactive'
  | 'change-account'
  /** For what belongs to another account. */
  | 'cross-tenant'
  /** With the key of another request. */
  | 'reused-key';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What the final answer may be. */
export type Expected = 'success' | 'success or refusal' | ExpectedAnswer;

export interface ExpectedAnswer {
  readonly status: number;
  /** What an error says. */
  readonly text?: string;
  /** How much a list holds. */
  readonly total?: number;
}

export interface Operation {
  readonly client: number;
  /** Who asks. */
  readonly account: StormAccount;
  readonly kind: Kind;
  readonly request: Request;
  readonly key: string | undefined;
  readonly expected: Expected;
  /** When the answer can have come into being at the earliest: for a read that is the try that was answered. */
  calledAt: number;
  /** When the first final answer was there; undefined: it never was. */
  answeredAt: number | undefined;
  /** The status of each try, in order; 0: no answer, or not a whole one. */
  readonly tries: number[];
  /** The final answers: one, and one more for each time that the request was sent again although it was answered. */
  readonly answers: Answer[];
}

export interface History {
  readonly accounts: readonly StormAccount[];
  readonly operations: readonly Operation[];
  /** For how long new things were begun. */
  readonly seconds: number;
}

export const finalAnswer = ({ answers }: Operation): Answer | undefined => answers[0];

export const isSuccess = (operation: Operation): boolean => {
  const status = finalAnswer(operation)?.status;
  return status !== undefined && status < 300;
};

/** Some of its tries had no final answer. */
export const wasTriedAgain = ({ tries, answers }: Operation): boolean => tries.length > answers.length;

/** What a success was answered with; undefined: it was no success. */
export const successOf = <Body>(operation: Operation): Body | undefined =>
  isSuccess(operation) ? (finalAnswer(operation)?.body as Body) : undefined;

/** What an error says, whichever shape it has. */
export function textOf(body: unknown): string {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  return Array.isArray(message) ? message.join('; ') : String(error ?? message ?? '');
}
