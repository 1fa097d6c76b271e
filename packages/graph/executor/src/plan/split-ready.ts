import { fieldNamesOf } from '../supergraph/field-set.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { EntityField } from './entity-document.ts';
import { entityFields, keepEntityFields, keepRequired, partOfFetch } from './entity-document.ts';
import type { FetchStep } from './plan.ts';

/**
 * Splits a fetch of entities that waits for the inputs of some of its fields: into the fields that are ready without
 * these inputs, and the rest. Undefined where no field is ready.
 */
export function splitReady(
  fetch: FetchStep,
  isReady: (part: FetchStep) => boolean,
  supergraph: Supergraph,
): readonly [FetchStep, FetchStep] | undefined {
  const part = (isKept: (key: string) => boolean): FetchStep => withFields(fetch, isKept, supergraph);
  const keys = new Set(entityFields(fetch.document).map(({ key }) => key));
  const ready = new Set([...keys].filter((key) => isReady(part((other) => other === key))));
  return ready.size === 0 || ready.size === keys.size
    ? undefined
    : [part((key) => ready.has(key)), part((key) => !ready.has(key))];
}

/** The part of a fetch with some of its fields, without the inputs that only the others need. */
function withFields(
  fetch: FetchStep,
  isKept: (key: string) => boolean,
  { subgraphTypes }: Supergraph,
): FetchStep {
  const { document, requires = [], subgraph } = fetch;
  const fields = entityFields(document);
  const inputsOf = ({ typeName, name }: EntityField): readonly string[] => {
    const set = subgraphTypes.requiresOf(subgraph, typeName, name);
    return set === undefined ? [] : [...fieldNamesOf(set)];
  };
  const needed = new Set([
    '__typename',
    ...fields.filter(({ key }) => isKept(key)).flatMap(inputsOf),
    ...fields.flatMap(({ typeName }) =>
      subgraphTypes.keysOf(subgraph, typeName).flatMap((key) => Array.from(fieldNamesOf(key))),
    ),
  ]);
  const unneeded = new Set(fields.flatMap(inputsOf).filter((name) => !needed.has(name)));
  return partOfFetch(
    fetch,
    keepEntityFields(document, ({ key }) => isKept(key)),
    keepRequired(requires, ({ planName }) => !unneeded.has(planName)),
  );
}
