import type { IncomingHttpHeaders } from 'node:http';

import type { SamplingDecision, TraceContext } from '../trace-context.ts';
import type { TraceIdFormat } from './trace-id-format.ts';

/** A format of header fields, by the name that Apollo Router has for it. `zipkin` is B3. */
export type PropagationFormat = 'trace_context' | 'baggage' | 'zipkin' | 'jaeger' | 'aws_xray';

export interface PropagationOptions {
  /** In order: of several traces in a request, the last one counts. */
  readonly formats: readonly PropagationFormat[];
  /** A header field with a trace id alone, which counts more than all formats. */
  readonly request: { readonly headerName: string; readonly format: TraceIdFormat } | undefined;
}

/** Continues callers' traces, and hands them on. */
export interface Propagation {
  /** Starts a span: in the trace of a caller, or in a new one. */
  readonly start: (headers: IncomingHttpHeaders, decide: SamplingDecision | undefined) => TraceContext;
  /** The header fields for a request that this span sends. */
  readonly fieldsOf: (trace: TraceContext) => Readonly<Record<string, string>>;
}
