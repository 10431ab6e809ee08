/** Who asked for an operation, and by which request: the log stores both with the events of the operation. */
export interface EventCause {
  readonly actor: StoredActor;
  /** The `X-Request-Id` of the answer that the operation had; of a job, of the answer that caused the job. */
  readonly requestId: string | null;
}

/** The caller's account and, as far as there are, its API key and its operator; a command by its name; the worker. */
export type StoredActor = `${'account' | 'key' | 'admin'}:${string}` | `command:${string}` | 'worker' | 'unknown';

export const UNKNOWN_CAUSE: EventCause = { actor: 'unknown', requestId: null };

export interface EventActor {
  readonly kind: 'account' | 'key' | 'admin' | 'command' | 'worker' | 'unknown';
  readonly accountId: bigint | null;
  readonly apiKeyId: bigint | null;
  /** Who was logged in, or made the key. */
  readonly operatorId: bigint | null;
  /** Of the operator, or of the command. */
  readonly name: string | null;
}

export interface ActorParts {
  readonly accountId: bigint;
  readonly apiKeyId: bigint | undefined;
  /** Its name as it is now: an event keeps it. */
  readonly operator: { readonly id: bigint; readonly name: string | null } | undefined;
}

/** So many characters of a name: every operation stores them. */
const MAX_NAME = 60;

export function storedActor(kind: 'account' | 'admin', { accountId, apiKeyId, operator }: ActorParts): StoredActor {
  const shown = kind === 'account' && apiKeyId !== undefined ? 'key' : kind;
  if (operator === undefined) return `${shown}:${accountId}${apiKeyId === undefined ? '' : `:${apiKeyId}`}`;
  const name = encodeURIComponent([...(operator.name ?? '')].slice(0, MAX_NAME).join(''));
  return `${shown}:${accountId}:${apiKeyId ?? ''}:${operator.id}:${name}`;
}

export function actorOf(stored: string): EventActor {
  const [kind, first = '', second = '', third = '', name = ''] = stored.split(':') as [EventActor['kind'], ...string[]];
  const idOf = (text: string) => (text === '' ? null : BigInt(text));
  if (kind === 'command') return { kind, accountId: null, apiKeyId: null, operatorId: null, name: first };
  return {
    kind,
    accountId: idOf(first),
    apiKeyId: idOf(second),
    operatorId: idOf(third),
    name: decodeURIComponent(name) || null,
  };
}
