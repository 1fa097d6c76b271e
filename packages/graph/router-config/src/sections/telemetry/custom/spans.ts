import { key, section } from '../../../declaration/key.ts';
import { oneOf } from '../../../declaration/value-types.ts';
import { attributesAt } from './attributes.ts';
import { byStage } from './selector-rules.ts';

/** `telemetry.instrumentation.spans`. */
export const spans = section({
  mode: key(oneOf('spec_compliant', 'deprecated'), {
    default: 'spec_compliant',
    note: 'The names and attributes of spans, of which each subgraph fetch has one; deprecated has those before Router 2.0',
  }),
  default_attribute_requirement_level: key(oneOf('none', 'required', 'recommended'), {
    default: 'required',
    note: 'Further attributes of spans: recommended adds address, path and user agent, and the texts of operations; none leaves out all that are not named',
  }),
  ...byStage((stage, about) =>
    section({
      attributes: key(attributesAt({ stage, when: 'response' }), {
        default: {},
        note: `The attributes of the spans of ${about}: true, false, an alias, or a selector`,
        paid: true,
      }),
    }),
  ),
});
