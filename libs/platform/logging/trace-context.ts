// biome-ignore lint/style/noRestrictedImports: the process pays for it from its first request with a trace on.
import { AsyncLocalStorage } from 'node:async_hooks';

// W3C Trace Context: version, trace id, parent id, flags. Later versions may append more.
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const MAX_LENGTH = 512;
const NOTHING = /^0+$/;

/** The trace of a request, if its `traceparent` follows the standard. */
export function traceIdOf(traceparent: string | string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  const [, version, traceId = '', parentId = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return NOTHING.test(traceId) || NOTHING.test(parentId) ? undefined : traceId;
}

// The trace of a request is in its log lines and, through the outbox, in the jobs that it causes and in their log lines.

const traces = new AsyncLocalStorage<string>();

/** The trace of the request or job that the present code serves. */
export const currentTraceId = (): string | undefined => traces.getStore() || undefined;

/** Runs `run` with a trace. Without one it costs nothing. */
export const withTrace = <Result>(traceId: string | undefined, run: () => Result): Result =>
  traceId === undefined ? run() : traces.run(traceId, run);

/** For code that serves many requests and happens to be started by one of them. */
export const withoutTrace = <Result>(run: () => Result): Result =>
  currentTraceId() === undefined ? run() : traces.run('', run);

/** The trace as a part of the payload of an outbox entry and of its job. */
export const tracePayload = (traceId: string | undefined): { readonly traceId?: string } =>
  traceId === undefined ? {} : { traceId };
