import type { KeyType } from '../../../declaration/key-type.ts';
import type { Key } from '../../../declaration/key.ts';
import { key, section } from '../../../declaration/key.ts';
import { oneOf } from '../../../declaration/value-types.ts';
import type { Attributes } from './attributes.ts';
import { attributesAt } from './attributes.ts';
import type { Stage } from './selector-rules.ts';

function attributesOf(stage: Stage, note: string): KeyType<{ readonly attributes: Attributes }> {
  const attributes: Key<Attributes> = key(attributesAt({ stage, when: 'response' }), {
    default: {},
    note,
    paid: true,
  });
  return section({ attributes });
}

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
  router: attributesOf(
    'router',
    'The attributes of the span of a request: true, false, an alias, or a selector',
  ),
  supergraph: attributesOf(
    'supergraph',
    'The attributes of the span of an operation: true, false, an alias, or a selector',
  ),
  subgraph: attributesOf(
    'subgraph',
    'The attributes of the span of a subgraph fetch: true, false, an alias, or a selector',
  ),
});
