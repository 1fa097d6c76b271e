/**
 * Header fields that say where a request comes from, and never affect its rights: W3C Trace Context, B3, Jaeger, AWS
 * X-Ray.
 */
export const traceFields: ReadonlySet<string> = new Set([
  'traceparent',
  'tracestate',
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-flags',
  'uber-trace-id',
  'x-amzn-trace-id',
]);
