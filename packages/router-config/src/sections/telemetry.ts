import { boolean } from '../kinds/boolean.ts';
import { defaulting } from '../kinds/key.ts';
import { oneOf } from '../kinds/one-of.ts';
import { section } from '../kinds/section.ts';

const propagation = section({ trace_context: defaulting(boolean, false) });
const tracing = section({ propagation: defaulting(propagation, {}) });

/** Traces. */
export const telemetry = section({
  /** `trace_context`: whether a client's `traceparent` is continued, and one is sent to the subgraphs. */
  exporters: defaulting(section({ tracing: defaulting(tracing, {}) }), {}),
  /** Spec: Limits. One span for each subgraph fetch is the only way in which spans are recorded here. */
  instrumentation: defaulting(
    section({
      spans: defaulting(section({ mode: defaulting(oneOf('spec_compliant'), 'spec_compliant') }), {}),
    }),
    {},
  ),
});
