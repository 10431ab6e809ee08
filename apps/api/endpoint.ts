import type { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import type { Cause } from '#accounts/events/account-event.js';
import type { Rejection } from '#core/rejection.js';
import type { EventCause } from '#events/event-cause.js';
import type { TextAnswer } from '#http/answer.js';
import type { Access } from '#http/authenticate.js';
import type { StreamAnswer } from '#http/event-stream.js';
import type { JsonLine } from '#http/json-lines.js';
import type { RateLimitRule } from '#http/limits/rate-limits.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import type { Call } from '#ledger/ledger.js';
import type { RefusalCode } from '#platform/errors/refusal.js';
import type { Deadline } from '#platform/process/deadline.js';
import type { Deprecation } from './deprecation.js';
import type { Tag } from './openapi/tags.js';
import type { ApiServices } from './services.js';

/** The work of the request goes on after this answer, whose status is 202. */
export class AcceptedAnswer {
  constructor(readonly body: object) {}
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface EndpointCall extends Call {
  readonly deadline: Deadline;
  readonly cause: EventCause;
}

export interface EndpointRequest<Body, Query, Params, Who extends Access> {
  readonly body: Output<Body>;
  readonly query: Output<Query>;
  readonly params: Output<Params>;
  /** Of an endpoint that takes JSON lines. */
  readonly lines: readonly JsonLine[];
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
interface Definition<
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Who extends Access = Access,
  Answer extends z.ZodType<object> = z.ZodType<object>,
> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** It will go: its answers and the document say so. */
  readonly deprecated?: Deprecation;
  readonly access: Who;
  /** It only ends access to the caller's account, so a suspended account may call it. */
  readonly endsAccess?: boolean;
  /** 200, unless given. */
  readonly status?: number;
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
  /** For how long its work may go on, beside the time that every request has. */
  readonly workMs?: number;
  /**
   * It takes a proof of the last 15 minutes that its person uses the session: the log-in, the password since, or the `password`
   * of the body. Of some requests only: a function of the body. API keys need none.
   */
  readonly freshProof?: true | ((body: Output<Body>) => boolean);
  /** An operator whose account asks for a second factor may call it before it has one. */
  readonly withoutSecondFactor?: boolean;
  /** The body is JSON lines of this schema, which the handler reads, and `answer` is one line of the answer. */
  readonly lines?: z.ZodType;
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

export interface Endpoint extends Definition {
  readonly status: number;
}

/** Checks that the schemas and the handler of one endpoint agree, then forgets their types. */
export function endpoint<
  Who extends Access,
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Params extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType<object> = z.ZodType<object>,
>(definition: Definition<Body, Query, Params, Who, Answer>): Endpoint {
  return { status: 200, ...definition } as unknown as Endpoint;
}
