import { describe, expect, it } from '@jest/globals';
import { formatTraceparent, startTrace } from '@meridian/telemetry';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('startTrace', () => {
  it('continues the trace of a traceparent with a span of its own', () => {
    const trace = startTrace(`00-${traceId}-${spanId}-01`);
    expect(trace).toEqual({
      traceId,
      parentSpanId: spanId,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      isSampled: true,
    });
    expect(trace.spanId).not.toBe(spanId);
  });

  it('continues the trace of a later version that carries more fields', () => {
    expect(startTrace(`01-${traceId}-${spanId}-00-more`)).toMatchObject({ traceId, isSampled: false });
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['the forbidden version ff', `ff-${traceId}-${spanId}-01`],
    ['version 00 with more fields', `00-${traceId}-${spanId}-01-more`],
    ['two headers joined', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ])('starts a new trace for %s', (_what, header) => {
    const trace = startTrace(header);
    expect(trace).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      isSampled: false,
    });
    expect(trace.traceId).not.toBe(traceId);
  });
});

describe('formatTraceparent', () => {
  it('is read back as the same trace, with the sender as parent', () => {
    const trace = startTrace(`00-${traceId}-${spanId}-01`);
    expect(startTrace(formatTraceparent(trace))).toMatchObject({
      traceId,
      parentSpanId: trace.spanId,
      isSampled: true,
    });
  });
});
