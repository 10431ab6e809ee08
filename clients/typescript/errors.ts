/** The service refused the request. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly status: number;
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

export function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('Retry-After');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
