import type { KeyType } from '../declaration/key-type.ts';
import { invalid, mapOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { isMapping } from '../declaration/mapping.ts';
import { claimWithValues } from './graphs.ts';
import type { Condition } from './telemetry/custom/conditions.ts';
import { conditionAt } from './telemetry/custom/conditions.ts';

/** The requests that a label of a progressive override is set for. */
export type OverrideLabelRule =
  | Condition
  | { readonly kind: 'claim'; readonly name: string; readonly values: readonly string[] };

const ofClaim = section({
  claim: key(claimWithValues, {
    required: true,
    note: 'Callers whose verified token has one of these values',
  }),
});
const ofCondition = conditionAt({ stage: 'supergraph', when: 'request' });

const rule: KeyType<OverrideLabelRule> = {
  read(value, at) {
    if (!isMapping(value) || !Object.hasOwn(value, 'claim')) {
      return ofCondition.read(value, at);
    }
    const read = ofClaim.read(value, at);
    return read === invalid ? invalid : { kind: 'claim', ...read.claim };
  },
  schema: { anyOf: [ofClaim.schema, ofCondition.schema] },
};

/** `meridian.override_labels`. */
export const overrideLabels = mapOf(rule);
