import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import type { Cause } from '#accounts/events/account-event.js';
import { cursorOfRead, withAsOf } from '#events/event-position.js';
import { sendJson, setAnswerHeader, TextAnswer } from '#http/answer.js';
import { HttpError } from '#http/errors.js';
import { assertAcceptsStream, StreamAnswer } from '#http/event-stream.js';
import { FileAnswer, sendFile } from '#http/file-answer.js';
import { assertSafeJson, assertSafeText, parse } from '#http/validation.js';
import { Replayed } from '#idempotency/stored-answers.js';
import type { Call } from '#ledger/ledger.js';
import type { Database } from '#platform/database/database.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { withTrace } from '#platform/logging/trace-context.js';
import { AcceptedAnswer } from './accepted-answer.js';
import {
  acceptsIdempotencyKey,
  assertWanted,
  causeOf,
  deadlineOf,
  eventCauseOfCall,
  idempotencyOf,
  inTime,
  replay,
} from './call.js';
import type { Access, Endpoint, EndpointRequest, StreamHeaders } from './endpoint.js';
import { noteAdminRead } from './guards/admin-reads.js';
import { roomFor } from './guards/stored-bytes.js';
import type { ApiServices } from './services.js';

/** A position in the account's event log: the answer shows exactly the events up to it. */
export const AS_OF_HEADER = 'Ledger-As-Of';

export const NOT_JSON = 'The Content-Type must be application/json';

/** The reader of bodies leaves a body of another type alone. */
function bodyOf({ body: read, headers }: Request): unknown {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  if (hasBody && read === undefined) throw new HttpError(415, NOT_JSON);
  const body: unknown = read ?? {};
  assertSafeJson(body);
  return body;
}

/** A meta filter may look for the empty text, and an empty cursor begins a walk. */
const mayBeEmpty = (field: string): boolean => field === 'cursor' || field.startsWith('meta_');

/** An empty value of another field counts as absent. */
function queryOf(request: Request): Record<string, unknown> {
  const given = Object.entries(request.query).filter(([key, value]) => value !== '' || mayBeEmpty(key));
  for (const [name, value] of given) if (typeof value === 'string') assertSafeText(value, [name]);
  return Object.fromEntries(given);
}

/** Refuses with the faults of the schema and those that the endpoint finds itself, all at once. */
function parsedBody({ body: schema, faultsOf }: Endpoint, given: unknown, services: ApiServices): unknown {
  if (schema === undefined) return undefined;
  const faults = faultsOf?.(given, services) ?? [];
  if (faults.length === 0) return parse(schema, given);
  try {
    parse(schema, given);
  } catch (error) {
    if (error instanceof ValidationError) throw new ValidationError([...error.faults, ...faults]);
    throw error;
  }
  throw new ValidationError(faults);
}

/** What the schemas have made of a request. */
interface Parsed {
  readonly body: unknown;
  readonly query: unknown;
  readonly params: unknown;
  readonly call: Call;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly byAdmin: boolean;
}

/**
 * Its getters stand in a class, and no function among its properties: V8 would make a hidden class for each object, in the old
 * generation, and that one would hold the whole request until the next full garbage collection.
 */
class HandlerRequest {
  readonly body: unknown;
  readonly query: unknown;
  readonly params: unknown;
  readonly call: Call;
  readonly caller: Caller;
  readonly #exchange: Exchange;

  constructor({ body, query, params, call }: Parsed, exchange: Exchange) {
    this.body = body;
    this.query = query;
    this.params = params;
    this.call = call;
    this.caller = exchange.request.user as Caller;
    this.#exchange = exchange;
  }

  get address(): string {
    return this.#exchange.request.ip ?? '';
  }

  get cause(): Cause {
    const { request, response, byAdmin } = this.#exchange;
    return causeOf(request, response, byAdmin);
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
}

/** Returns how many bytes an answer has that a key stores. */
async function send(request: Request, response: Response, { answer, status }: Sent): Promise<number> {
  if (answer instanceof Replayed) replay(response, answer.answer);
  else if (answer instanceof AcceptedAnswer) sendJson(response, 202, answer.body);
  else if (answer instanceof TextAnswer) answer.send(response, status);
  else if (answer instanceof StreamAnswer) answer.send(request, response);
  else if (answer instanceof FileAnswer) await sendFile(request, response, answer);
  else return sendJson(response, status, answer);
  return 0;
}

/** Parses, calls, presents. Authentication and limits come before it; errors go to the one error handler. */
export function handlerOf(definition: Endpoint, services: ApiServices): RequestHandler {
  const { access, body, query, params, status, method, isList, isRepeatable = false } = definition;
  const isKeyAccepted = acceptsIdempotencyKey(definition);
  const isGet = method === 'get';
  const limits = { deadlineMs: services.requestDeadlineMs, isRead: isGet || isRepeatable };

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
    const parsed = {
      body: body && parsedBody(definition, bodyOf(request), services),
      query: query && parse(query, queryOf(request), 'query'),
      params: params && parse(params, request.params, 'path'),
      call: {
        deadline: deadlineOf(response, limits.deadlineMs),
        // Parsed last, because it hashes the whole body: the checks above bound its depth.
        idempotency: isKeyAccepted ? idempotencyOf(request, status) : undefined,
        cause: eventCauseOfCall(request, response, access === 'admin'),
      },
    };
    const noteStored = roomFor(definition, request, {
      storedBytes: services.storedBytes,
      hasKey: parsed.call.idempotency !== undefined,
    });
    if (isGet) noteAdminRead(definition, services, { request, response, named: parsed as never });
    const given = new HandlerRequest(parsed, { request, response, byAdmin: access === 'admin' });
    const deadlineMs = limits.deadlineMs + (definition.waitMs?.(parsed.query) ?? 0);
    // A literal that begins with a spread costs V8 a hidden class each time.
    const limit = { deadlineMs, isRead: limits.isRead };
    const answer = await inTime(response, handle(given as never, response), limit);
    const answerBytes = await send(request, response, { answer, status });
    if (!(answer instanceof Replayed)) noteStored?.(answerBytes);
  };
}
