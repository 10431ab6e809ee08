/** Who asked for an operation, and by which request: the log stores both with the events of the operation. */
export interface EventCause {
  readonly actor: StoredActor;
  /** The `X-Request-Id` of the answer that the operation had; of a job, of the answer that caused the job. */
  readonly requestId: string | null;
}

/** The caller's account and, when it used one, its API key; a command by its name; the worker. */
export type StoredActor = `${'account' | 'key' | 'admin'}:${string}` | `command:${string}` | 'worker' | 'unknown';

export const UNKNOWN_CAUSE: EventCause = { actor: 'unknown', requestId: null };

export interface EventActor {
  readonly kind: 'account' | 'key' | 'admin' | 'command' | 'worker' | 'unknown';
  readonly accountId: bigint | null;
  readonly apiKeyId: bigint | null;
  readonly name: string | null;
}

export function storedActor(
  kind: 'account' | 'admin',
  { accountId, apiKeyId }: { readonly accountId: bigint; readonly apiKeyId: bigint | undefined },
): StoredActor {
  if (apiKeyId === undefined) return `${kind}:${accountId}`;
  return `${kind === 'admin' ? 'admin' : 'key'}:${accountId}:${apiKeyId}`;
}

export function actorOf(stored: string): EventActor {
  const [kind, first, second] = stored.split(':') as [EventActor['kind'], string | undefined, string | undefined];
  if (kind === 'command') return { kind, accountId: null, apiKeyId: null, name: first ?? null };
  const idOf = (text: string | undefined) => (text === undefined ? null : BigInt(text));
  return { kind, accountId: idOf(first), apiKeyId: idOf(second), name: null };
}
