import { describe, expect, it } from '@jest/globals';
import { traceIdOf } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each([`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-00`, `cc-${TRACE}-${PARENT}-01-what-will-be`])(
    'tells the trace: %s',
    (header) => {
      expect(traceIdOf(header)).toBe(TRACE);
    },
  );

  it.each([
    undefined,
    '',
    TRACE,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-1`,
    ` 00-${TRACE}-${PARENT}-01`,
    `01-${TRACE}-${PARENT}-01-${'x'.repeat(500)}`,
  ])('is left aside when it is not in order: %s', (header) => {
    expect(traceIdOf(header)).toBeUndefined();
  });
});
