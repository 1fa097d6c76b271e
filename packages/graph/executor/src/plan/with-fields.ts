import { fieldNamesOf } from '../supergraph/field-set.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { fieldsOf } from '../supergraph/schema-types.ts';
import type { EntityField } from './entity-document.ts';
import { entityFields, keepEntityFields, keepRequired, partOfFetch } from './entity-document.ts';
import type { FetchStep } from './plan.ts';

/**
 * The part of a fetch of entities with some of its fields, without the inputs that none of these requires: it would wait
 * for them.
 */
export function withFields(
  fetch: FetchStep,
  isKept: (field: EntityField) => boolean,
  { schema, subgraphTypes }: Supergraph,
): FetchStep {
  const { document, requires = [], subgraph } = fetch;
  const kept = keepEntityFields(document, isKept);
  const inputsOf = (typeName: string, name: string): readonly string[] => {
    const set = subgraphTypes.requiresOf(subgraph, typeName, name);
    return set === undefined ? [] : [...fieldNamesOf(set)];
  };
  const types = new Set([
    ...entityFields(document).map(({ typeName }) => typeName),
    ...requires.flatMap((one) => (one.kind === 'fragment' ? (one.typeCondition ?? []) : [])),
  ]);
  const needed = new Set([
    ...entityFields(kept).flatMap(({ typeName, name }) => inputsOf(typeName, name)),
    ...[...types].flatMap((typeName) =>
      subgraphTypes.keysOf(subgraph, typeName).flatMap((key) => Array.from(fieldNamesOf(key))),
    ),
  ]);
  const inputs = new Set(
    [...types].flatMap((typeName) =>
      Object.keys(fieldsOf(schema.getType(typeName))).flatMap((name) => inputsOf(typeName, name)),
    ),
  );
  const representations = keepRequired(
    requires,
    ({ planName }) => planName === '__typename' || needed.has(planName) || !inputs.has(planName),
  );
  return partOfFetch(fetch, kept, representations);
}
