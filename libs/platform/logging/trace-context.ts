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
