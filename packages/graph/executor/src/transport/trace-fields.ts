/** Header fields that say where a request comes from, and never affect its rights. W3C Trace Context. */
export const traceFields: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);
