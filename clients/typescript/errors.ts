import type { ErrorCode } from './generated.js';

/** The service refused the request. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly status: number;
  /** What kind of refusal it is: docs/errors.md lists all. Undefined: the answer of a proxy. A later service may have more. */
  readonly code: ErrorCode | undefined;
  /** The operation of a batch that was refused. */
  readonly operationId: string | undefined;
  /** The texts of the answer: every fault of a malformed request, else one sentence. */
  readonly texts: readonly string[];
  /** The id by which the service's operators find the request in their logs. */
  readonly requestId: string | undefined;
  /** When a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** Like `POST /bets/make-offer`. */
  readonly operation: string;
  /** A retry with this key is the same request. */
  readonly idempotencyKey: string | undefined;

  constructor(operation: string, response: Response, body: unknown, idempotencyKey: string | undefined) {
    const texts = textsIn(body);
    super(`${operation} answered ${response.status}: ${texts.join('; ')}`);
    this.status = response.status;
    this.code = (response.headers.get('Ledger-Error') ?? undefined) as ErrorCode | undefined;
    this.operationId = decodedHeader(response, 'Ledger-Error-Operation');
    this.texts = texts;
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
    this.retryAfterSeconds = retryAfterOf(response);
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
  }
}

/** No attempt had an answer. The request may or may not have had its effect. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable';
  readonly tries: number;
  readonly idempotencyKey: string | undefined;

  constructor(request: Request, tries: number, idempotencyKey: string | undefined, cause: unknown) {
    const { pathname } = new URL(request.url);
    super(`${request.method} ${pathname} had no answer in ${tries} ${tries === 1 ? 'try' : 'tries'}`, { cause });
    this.tries = tries;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The texts of the service's three error shapes; the answer of a proxy is returned unchanged. */
function textsIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [String(body ?? '')];
  const { message, error } = body as { message?: unknown; error?: unknown };
  if (Array.isArray(message)) return message.map(String);
  return [String(message ?? error ?? JSON.stringify(body))];
}

function decodedHeader({ headers }: Response, name: string): string | undefined {
  const text = headers.get(name);
  return text === null ? undefined : decodeURIComponent(text);
}

export function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('Retry-After');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
