import { key, section } from '../../declaration/key.ts';
import { oneOf } from '../../declaration/value-types.ts';

/** The content of the telemetry. */
export const instrumentation = section({
  spans: section({
    mode: key(oneOf('spec_compliant', 'deprecated'), {
      default: 'spec_compliant',
      note: 'The names and attributes of spans, of which each subgraph fetch has one; deprecated has those before Router 2.0',
    }),
  }),
});
