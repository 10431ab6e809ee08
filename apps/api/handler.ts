import type { Request, RequestHandler, Response } from 'express';
import { actorOfCaller, type Caller } from '#accounts/access/authenticator.js';
import { type Cause, UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import { type EventCause, storedActor, UNKNOWN_CAUSE } from '#events/event-cause.js';
import { cursorOfRead, withAsOf } from '#events/event-position.js';
import { assertWanted, deadlineOf, inTime, sendJson, setAnswerHeader, TextAnswer } from '#http/answer.js';
import type { Access } from '#http/authenticate.js';
import { hasBody } from '#http/connection.js';
import type { OnErrorAnswer } from '#http/error-handler.js';
import { httpError } from '#http/errors.js';
import { assertAcceptsStream, StreamAnswer } from '#http/event-stream.js';
import { FileAnswer, sendFile } from '#http/file-answer.js';
import { type JsonLine, linesOf } from '#http/json-lines.js';
import {
  assertSafeJson,
  bodyBytesOf,
  faultsOf,
  hasQuery,
  parse,
  type QueryForm,
  queryFormOf,
  readQuery,
} from '#http/request-input.js';
import { Replayed } from '#idempotency/stored-answers.js';
import type { Call } from '#ledger/ledger.js';
import type { Database } from '#platform/database/database.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { withTrace } from '#platform/logging/trace-context.js';
import { AcceptedAnswer, type Endpoint, type EndpointRequest, type StreamHeaders } from './endpoint.js';
import { freshProofOf } from './guards/fresh-proof.js';
import { type Named, noteAdminRead } from './guards/visible-accounts.js';
import { acceptsIdempotencyKey, idempotencyOf, LOWERED_KEY_HEADER, replay } from './idempotency-key.js';
import type { ApiServices } from './services.js';

/** A position in the account's event log: the answer shows exactly the events up to it. */
export const AS_OF_HEADER = 'Ledger-As-Of';

/** The reader of bodies leaves a body of another type alone. */
function bodyOf(request: Request): unknown {
  const read: unknown = request.body;
  if (read === undefined && hasBody(request)) throw httpError('not-json');
  const body: unknown = read ?? {};
  assertSafeJson(body);
  return body;
}

/** Refuses with the faults of the schema and those that the endpoint finds itself, all at once. */
function parsedBody(
  { body: schema, faultsOf: moreFaultsOf }: Endpoint,
  given: unknown,
  services: ApiServices,
): unknown {
  if (schema === undefined) return undefined;
  const faults = moreFaultsOf?.(given, services) ?? [];
  if (faults.length === 0) return parse(schema, given);
  throw new ValidationError([...faultsOf(() => parse(schema, given)), ...faults]);
}

/** Refuses a request whose query is wrong with the faults of its body too. */
function assertRightQuery(form: QueryForm, request: Request, readBody: () => unknown): void {
  const faults = faultsOf(() => readQuery(form, request));
  if (faults.length > 0) throw new ValidationError([...faultsOf(readBody), ...faults]);
}

/** What the schemas have made of a request. */
interface Parsed {
  readonly body: unknown;
  readonly query: unknown;
  readonly params: unknown;
  readonly lines: readonly JsonLine[];
  readonly call: Call;
}

const NO_LINES: readonly JsonLine[] = [];

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly byAdmin: boolean;
}

/** Who sent the request, for the events of accounts. */
function causeOf({ request, response, byAdmin }: Exchange): Cause {
  const caller = request.user as Caller | undefined;
  return {
    actor: caller === undefined ? UNKNOWN_ACTOR : actorOfCaller(caller, byAdmin),
    address: request.ip ?? null,
    requestId: response.locals.requestId ?? null,
  };
}

/** The same, as the event log stores it. */
function eventCauseOf({ request, response, byAdmin }: Exchange): EventCause {
  const caller = request.user as Caller | undefined;
  const requestId: string | null = response.locals.requestId ?? null;
  if (caller === undefined) return { actor: UNKNOWN_CAUSE.actor, requestId };
  if (!byAdmin) return { actor: caller.storedActor, requestId };
  const { account, apiKey, operator } = caller;
  const parts = { accountId: account.accountId, apiKeyId: apiKey?.id, operator };
  return { actor: storedActor('admin', parts), requestId };
}

/** Its getters stand in a class, and no function is among its properties (docs/decisions/0053-what-v8-likes.md). */
class HandlerRequest {
  readonly body: unknown;
  readonly query: unknown;
  readonly params: unknown;
  readonly lines: readonly JsonLine[];
  readonly call: Call;
  readonly caller: Caller | undefined;
  readonly #exchange: Exchange;

  constructor({ body, query, params, lines, call }: Parsed, exchange: Exchange) {
    this.body = body;
    this.query = query;
    this.params = params;
    this.lines = lines;
    this.call = call;
    this.caller = exchange.request.user as Caller | undefined;
    this.#exchange = exchange;
  }

  get address(): string {
    return this.#exchange.request.ip ?? '';
  }

  get cause(): Cause {
    return causeOf(this.#exchange);
  }

  get streamHeaders(): StreamHeaders {
    const { headers } = this.#exchange.request;
    const given = headers['last-event-id'];
    const lastEventId = typeof given === 'string' && given !== '' ? given : undefined;
    return { lastEventId, authorization: headers.authorization ?? '' };
  }

  get logAccount(): (accountId: bigint) => void {
    const { locals } = this.#exchange.response;
    return (accountId) => {
      locals.accountId = accountId;
    };
  }
}

/** Runs a read, and names in a header up to which event its facts go. */
async function showingAsOf<Result>(
  response: Response,
  database: Database,
  read: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { result, asOf } = await withAsOf(database, read);
  if (asOf !== undefined) setAnswerHeader(response, AS_OF_HEADER, cursorOfRead(asOf));
  return result;
}

interface Sent {
  readonly answer: object;
  readonly status: number;
  readonly onRefused: OnErrorAnswer;
}

/** Returns how many bytes an answer has that a key stores. */
async function send(request: Request, response: Response, { answer, status, onRefused }: Sent): Promise<number> {
  if (answer instanceof Replayed) replay(request, response, { answer: answer.answer, onRefused });
  else if (answer instanceof AcceptedAnswer) sendJson(response, 202, answer.body);
  else if (answer instanceof TextAnswer) answer.send(response, status);
  else if (answer instanceof StreamAnswer) answer.send(request, response);
  else if (answer instanceof FileAnswer) await sendFile(response, answer);
  else return sendJson(response, status, answer);
  return 0;
}

interface Parsing {
  readonly definition: Endpoint;
  readonly queryForm: QueryForm;
  readonly services: ApiServices;
}

const workDeadlineOf = ({ workMs = 0 }: Endpoint, { requestDeadlineMs }: ApiServices): number =>
  requestDeadlineMs + workMs;

/** A request that names a key is hashed last: the checks before it bound the depth of its body. */
function parsedOf({ definition, queryForm, services }: Parsing, exchange: Exchange, hasKey: boolean): Parsed {
  const { body, params, lines, status } = definition;
  const { request, response } = exchange;
  const deadline = deadlineOf(response, workDeadlineOf(definition, services));
  if (body !== undefined && hasQuery(request)) {
    assertRightQuery(queryForm, request, () => parsedBody(definition, bodyOf(request), services));
  }
  return {
    body: body && parsedBody(definition, bodyOf(request), services),
    query: readQuery(queryForm, request),
    params: params && parse(params, request.params, 'path'),
    lines: lines === undefined ? NO_LINES : linesOf(request),
    call: {
      deadline,
      idempotency: hasKey ? idempotencyOf(request, status) : undefined,
      cause: eventCauseOf(exchange),
    },
  };
}

/** Parses, calls, presents. Authentication and limits come before it; errors go to the one error handler. */
export function handlerOf(definition: Endpoint, services: ApiServices): RequestHandler {
  const { access, status, method, isList, isRepeatable = false } = definition;
  const isKeyAccepted = acceptsIdempotencyKey(definition);
  const isGet = method === 'get';
  const storesBody = !isGet && access !== 'public';
  const isRead = isGet || isRepeatable;
  const assertProved = freshProofOf(definition);
  const parsing = { definition, queryForm: queryFormOf(definition.query), services };

  /** In the request's turn, when it needs one. */
  function handle(request: EndpointRequest<never, never, never, Access>, response: Response) {
    const run = (database: Database) => {
      const work = (from: Database) =>
        definition.handle(request, from === services.database ? services : { ...services, database: from });
      return withTrace(response.locals.traceId, () => (isGet ? showingAsOf(response, database, work) : work(database)));
    };
    const { database } = services;
    const { idempotency } = request.call;
    if (idempotency !== undefined) return services.keysInUse.use(idempotency, () => run(database));
    if (!isList) return run(database);
    const { account } = request.caller as Caller;
    return services.inListTurn(account, () => {
      assertWanted(request.call.deadline);
      return services.reads.run(run);
    });
  }

  return async (request, response) => {
    if (definition.stream !== undefined) assertAcceptsStream(request);
    const exchange = { request, response, byAdmin: access === 'admin' };
    const hasKey = isKeyAccepted && request.headers[LOWERED_KEY_HEADER] !== undefined;
    const parsed = parsedOf(parsing, exchange, hasKey);
    const given = new HandlerRequest(parsed, exchange);
    const { caller } = given;
    assertProved?.(caller, parsed.body);
    const bodyBytes = storesBody ? bodyBytesOf(request) : 0;
    // Most requests are small and have no key.
    const stored = bodyBytes > 0 || hasKey ? { bodyBytes, hasKey } : undefined;
    const noteStored = stored && caller && services.storedBytes.assertAndNote(caller.account, stored);
    if (isGet && caller?.account.role === 'admin') {
      const cause = causeOf({ request, response, byAdmin: true });
      noteAdminRead(definition, services, { caller, named: parsed as Named, cause });
    }
    const deadlineMs = workDeadlineOf(definition, services) + (definition.waitMs?.(parsed.query) ?? 0);
    const answer = await inTime(response, handle(given as never, response), { deadlineMs, isRead });
    const answerBytes = await send(request, response, { answer, status, onRefused: services.refusedCalls.note });
    if (!(answer instanceof Replayed)) noteStored?.(answerBytes);
  };
}
