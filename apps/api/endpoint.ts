import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import type { Cause } from '#accounts/events/account-event.js';
import type { Rejection } from '#core/rejection.js';
import type { EventCause } from '#events/event-cause.js';
import { withAsOf } from '#events/ledger-as-of.js';
import { positionOf } from '#events/log-head.js';
import { sendJson, setAnswerHeader } from '#http/answer.js';
import { HttpError } from '#http/errors.js';
import { assertAcceptsStream, StreamAnswer } from '#http/event-stream.js';
import { FileAnswer, sendFile } from '#http/file-answer.js';
import type { RateLimitRule } from '#http/limits/rate-limits.js';
import { TextAnswer } from '#http/text-answer.js';
import { assertSafeJson, assertSafeText, parse, ValidationError } from '#http/validation.js';
import { Replayed } from '#idempotency/stored-answers.js';
import type { Deadline } from '#ledger/lanes.js';
import type { Call } from '#ledger/ledger.js';
import type { RefusalCode } from '#platform/errors/refusal.js';
import { withTrace } from '#platform/logging/tracing.js';
import { AcceptedAnswer } from './accepted-answer.js';
import { causeOf, eventCauseOf } from './cause.js';
import { assertWanted, deadlineOf, inTime } from './deadline.js';
import { noteAdminRead } from './guards/admin-reads.js';
import { roomFor } from './guards/stored-bytes.js';
import { acceptsIdempotencyKey, idempotencyOf, replay } from './idempotency.js';
import type { Tag } from './openapi/tags.js';
import type { ApiServices } from './services.js';

/** Who may call: every client, one with a bearer token, one with any credential, or admins only. */
export type Access = 'public' | 'bearer' | 'account' | 'admin';

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface EndpointCall extends Call {
  readonly deadline: Deadline;
  readonly cause: EventCause;
}

export interface EndpointRequest<Body, Query, Params, Who extends Access> {
  readonly body: Output<Body>;
  readonly query: Output<Query>;
  readonly params: Output<Params>;
  readonly caller: Who extends 'public' ? undefined : Caller;
  readonly address: string;
  /** What the events of the request say of who sent it. */
  readonly cause: Cause;
  /** Names the account in the log line of a request without a credential. */
  readonly logAccount: (accountId: bigint) => void;
  /** How long the request waits, and its Idempotency-Key: every handler that changes data must pass it on. */
  readonly call: EndpointCall;
  /** What a stream needs of the request's headers. */
  readonly streamHeaders: StreamHeaders;
}

export interface StreamHeaders {
  /** Where a reader that connects again has got to. */
  readonly lastEventId: string | undefined;
  /** It proves the caller again, when its access has changed. */
  readonly authorization: string;
}

/** A refusal that the rules of an endpoint may give. */
export type PossibleRefusal = RefusalCode | Rejection | 'unauthorized';

/** One endpoint, as data: its guards are visible, and its schemas both validate and document it. */
export interface Endpoint<
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Who extends Access = Access,
  Answer extends z.ZodType<object> = z.ZodType<object>,
> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Who;
  /** It only ends access to the caller's account, so a suspended account may call it. */
  readonly endsAccess?: boolean;
  readonly status: number;
  /** The API counts a request against this limit, by the caller's address, before all other work. */
  readonly limit?: RateLimitRule;
  /** Hashes a password: the API refuses a stranger's request before all other work while too many hashes wait. */
  readonly hashesPassword?: boolean;
  /**
   * Reads many rows: such requests take turns, so that they leave database connections for others, and the `database` of
   * their services is a standby, where there is one. So the handler must not write.
   */
  readonly isList?: boolean;
  /** The request or the answer holds a secret, which must not be stored: the endpoint takes no Idempotency-Key. */
  readonly carriesSecret?: boolean;
  /** It changes nothing that a second request would change again: the endpoint takes no Idempotency-Key. */
  readonly isRepeatable?: boolean;
  /** For how long a request may wait on purpose, beside the time that every request has. */
  readonly waitMs?: (query: unknown) => number;
  readonly body?: Body;
  /** Faults of a body that depend on the configuration. They join those of its schema. */
  readonly faultsOf?: (body: unknown, services: ApiServices) => readonly string[];
  readonly query?: Query;
  readonly params?: Params;
  readonly answer: Answer;
  /** The answer of a request whose work goes on, with the status 202: the handler gives an `AcceptedAnswer`. */
  readonly accepted?: z.ZodType<object>;
  /** Another form of the answer, which the handler may give as a `TextAnswer`. */
  readonly textAnswer?: { readonly contentType: string; readonly description: string; readonly example: string };
  /** The answer is a file of one of these media types, here with the beginning of one; `answer` says nothing of it. */
  readonly fileTypes?: Readonly<Record<string, string>>;
  /** The answer is a stream of server-sent events, here with the beginning of one; `answer` says nothing of it. */
  readonly stream?: { readonly description: string; readonly example: string; readonly resumes: boolean };
  /** Besides those that every endpoint of its kind may give. */
  readonly refusals?: readonly PossibleRefusal[];
  handle(
    request: EndpointRequest<Body, Query, Params, Who>,
    services: ApiServices,
  ): Promise<z.output<Answer> | Replayed | AcceptedAnswer | TextAnswer | StreamAnswer>;
}

/** Checks that the schemas and the handler of one endpoint agree, then forgets their types. */
export function endpoint<
  Who extends Access,
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Params extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType<object> = z.ZodType<object>,
>(definition: Endpoint<Body, Query, Params, Who, Answer>): Endpoint {
  return definition as unknown as Endpoint;
}

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
async function showingAsOf<Result>(response: Response, read: () => Promise<Result>): Promise<Result> {
  const { result, asOf } = await withAsOf(read);
  if (asOf !== undefined) setAnswerHeader(response, AS_OF_HEADER, positionOf(asOf));
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
    const run = (used: ApiServices) => {
      const work = () => definition.handle(request, used);
      return withTrace(response.locals.traceId, isGet ? () => showingAsOf(response, work) : work);
    };
    const { idempotency } = request.call;
    if (idempotency !== undefined) return services.keysInUse.use(idempotency, () => run(services));
    if (!isList) return run(services);
    const { account } = request.caller as Caller;
    return services.inListTurn(account, () => {
      assertWanted(request.call.deadline);
      return services.reads.run((database) => run({ ...services, database }));
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
        cause: eventCauseOf(request, response, access === 'admin'),
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
