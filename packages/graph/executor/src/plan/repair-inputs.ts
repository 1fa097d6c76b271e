// Repairs chains of `@requires` in Apollo's plans. When the input of an input is looked up on the way to the
// subgraph that needs it, the planner puts both into one fetch without the first one's inputs, or asks a
// subgraph for a field that is only `@external` there. It may also fetch the value of a context too late, or
// put a field into one fetch with another that its input is computed from. This module splits such fetches,
// adds missing ones, and orders all fetches by their inputs.
import type { DocumentNode, SelectionNode } from 'graphql';
import { Kind, visit } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { EntityField } from './entity-document.ts';
import { entityFields, keepEntityFields, partOfFetch } from './entity-document.ts';
import { fetchesBeforeInputs, fetchesTooEarly } from './unready-fetches.ts';
import { fetchesOf, stepsInOrder } from './plan-steps.ts';
import { inputFaults } from './input-faults.ts';
import { hasKey, liftNested } from './lift-nested.ts';
import { orderByInputs } from './order-by-inputs.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { createRoot, shapeAt, suppliedAt } from './fetched-shape.ts';
import type { FetchStep, OperationKind, PlanStep, RequiredSelection } from './plan.ts';
import { requiredFromSet } from './required-selections.ts';
import { withFields } from './split-fetch.ts';

/** Repairs a plan with missing inputs. Faults that cannot be repaired stay. */
export function repairInputs(root: PlanStep, kind: OperationKind, supergraph: Supergraph): PlanStep {
  const parts = kind === 'mutation' ? serialParts(root) : [root];
  const repaired = parts.map((part) => repairPart(part, kind, supergraph));
  const isSame = repaired.every((part, index) => part === parts[index]);
  return isSame ? root : { kind: 'sequence', steps: repaired };
}

/** The parts of a mutation: each begins with a fetch of root fields, and runs once those before it are complete. */
function serialParts(root: PlanStep): readonly PlanStep[] {
  const parts: PlanStep[][] = [];
  for (const step of stepsInOrder(root)) {
    if (parts.length === 0 || fetchesOf(step).some(({ requires }) => requires === undefined)) {
      parts.push([]);
    }
    parts.at(-1)?.push(step);
  }
  return parts.map((steps): PlanStep => ({ kind: 'sequence', steps }));
}

function repairPart(root: PlanStep, kind: OperationKind, supergraph: Supergraph): PlanStep {
  const planned = fetchesOf(root).map((fetch) => {
    const { rest, lifted } = liftNested(fetch, supergraph);
    return { fetch, rest, lifted };
  });
  const tooEarly = fetchesTooEarly(root, kind, supergraph);
  const isFaulty =
    tooEarly.size > 0 ||
    planned.some(({ fetch, lifted }) => lifted.length > 0 || inputFaults(fetch, supergraph).size > 0) ||
    fetchesBeforeInputs(root, kind, supergraph).size > 0;
  if (!isFaulty) {
    return root;
  }
  const kept = planned.flatMap(({ fetch, rest }) => (tooEarly.has(fetch) ? splitByContexts(rest) : [rest]));
  const nested = planned.flatMap(({ lifted }) => lifted);
  if (!nested.every((fetch) => hasKey(fetch) || isForeign(fetch, supergraph))) {
    return root;
  }
  const fetches = [...kept, ...missingOf(nested, kept, supergraph)];
  const parts = fetches.flatMap((fetch) => splitByInputs(fetch, supergraph));
  const fetched = createRoot(supergraph, kind, parts);
  const added = fetches.flatMap((fetch) => fetchExternal(fetch, { fetches: parts, fetched }, supergraph));
  return orderByInputs([...parts, ...added], kind, supergraph) ?? root;
}

/** True where other subgraphs have to resolve all fields of a fetch. */
function isForeign(fetch: FetchStep, supergraph: Supergraph): boolean {
  const faults = inputFaults(fetch, supergraph);
  return entityFields(fetch.document).every(({ key }) =>
    [...faults].some(([field, fault]) => field.key === key && fault === 'foreign'),
  );
}

/** The nested fields that no other fetch supplies. */
function missingOf(
  nested: readonly FetchStep[],
  kept: readonly FetchStep[],
  supergraph: Supergraph,
): readonly FetchStep[] {
  const fetches = [...kept];
  return nested.flatMap((fetch) => {
    const known = suppliedAt(fetch.path, fetches, supergraph).fields;
    const missing = keepEntityFields(fetch.document, ({ typeName, responseName }) => {
      const field = known.get(responseName);
      return field?.parentTypes.has(typeName) !== true || field.shape.fields.size > 0;
    });
    if (entityFields(missing).length === 0) {
      return [];
    }
    fetches.push(fetch);
    return [partOfFetch(fetch, missing, fetch.requires)];
  });
}

/** Splits off the part of a fetch that waits for contexts: the rest may supply these contexts. */
function splitByContexts(fetch: FetchStep): readonly FetchStep[] {
  const { requires = [], document } = fetch;
  const part = (isKept: (key: string) => boolean): FetchStep =>
    partOfFetch(
      fetch,
      keepEntityFields(document, ({ key }) => isKept(key)),
      requires,
    );
  const keys = new Set(entityFields(document).map(({ key }) => key));
  const waiting = new Set(
    [...keys].filter((key) => part((other) => other === key).contextVariables.length > 0),
  );
  return waiting.size === keys.size
    ? [fetch]
    : [part((key) => !waiting.has(key)), part((key) => waiting.has(key))];
}

/** The fields of a fetch that have their inputs, and those that will get them, without fields of other subgraphs. */
function splitByInputs(fetch: FetchStep, supergraph: Supergraph): readonly FetchStep[] {
  if (fetch.requires === undefined) {
    return [fetch];
  }
  const faults = inputFaults(fetch, supergraph);
  const keys = new Set(Array.from(faults.keys(), ({ key }) => key));
  const complete = withFields(fetch, ({ key }) => !keys.has(key), supergraph);
  const incomplete = [...faults].flatMap(([field, fault]) => (fault === 'unfed' ? [field] : []));
  const parts = incomplete.map((field) => {
    const { document, requires = [] } = withFields(fetch, ({ key }) => key === field.key, supergraph);
    return partOfFetch(fetch, document, [...requires, inputOf(field, fetch.subgraph, supergraph)]);
  });
  return entityFields(complete.document).length === 0 ? parts : [complete, ...parts];
}

function inputOf(
  { typeName, name }: EntityField,
  subgraph: string,
  { subgraphTypes, syntheticFields }: Supergraph,
): RequiredSelection {
  const set = subgraphTypes.requiresOf(subgraph, typeName, name);
  return {
    kind: 'fragment',
    typeCondition: typeName,
    selections: set === undefined ? [] : requiredFromSet(set, syntheticFields),
  };
}

/** Fetches for fields that were planned for a subgraph that does not resolve them, and that no other fetch supplies. */
function fetchExternal(
  fetch: FetchStep,
  { fetches, fetched }: { readonly fetches: readonly FetchStep[]; readonly fetched: FetchedShape },
  supergraph: Supergraph,
): readonly FetchStep[] {
  const shape = shapeAt(fetched, fetch.path);
  const supplied = suppliedAt(fetch.path, fetches, supergraph).fields;
  return [...inputFaults(fetch, supergraph)].flatMap(([field, fault]) => {
    const { typeName, name, responseName, key } = field;
    if (fault !== 'foreign' || supplied.get(responseName)?.parentTypes.has(typeName) === true) {
      return [];
    }
    const resolver = resolvingSubgraph(field, shape, supergraph);
    if (resolver === undefined) {
      return [];
    }
    const asking = keepEntityFields(fetch.document, (other) => other.key === key && other.name === name);
    const requires: RequiredSelection = {
      kind: 'fragment',
      typeCondition: typeName,
      selections: [
        { kind: 'field', planName: '__typename', name: '__typename', selections: undefined },
        ...resolver.inputs,
      ],
    };
    const part = partOfFetch(fetch, withoutName(asking), [requires]);
    return [{ ...part, subgraph: resolver.subgraph, operationName: undefined, typenameRewrites: [] }];
  });
}

/** A subgraph that resolves a field and looks its entity up by what is known of it, with the fields that it needs. */
function resolvingSubgraph(
  { typeName, name }: EntityField,
  shape: FetchedShape,
  { subgraphs, subgraphTypes, syntheticFields }: Supergraph,
): { readonly subgraph: string; readonly inputs: readonly RequiredSelection[] } | undefined {
  // Its entity was looked up already, so its type is known.
  const isKnown = (field: SelectionNode): boolean =>
    field.kind === Kind.FIELD &&
    (field.name.value === '__typename' ||
      shape.fields.get(field.name.value)?.parentTypes.has(typeName) === true);
  for (const { name: subgraph } of subgraphs) {
    const key = subgraphTypes.resolves(subgraph, typeName, name)
      ? subgraphTypes.keysOf(subgraph, typeName).find(({ selections }) => selections.every(isKnown))
      : undefined;
    if (key !== undefined) {
      const required = subgraphTypes.requiresOf(subgraph, typeName, name);
      const sets = required === undefined ? [key] : [key, required];
      return { subgraph, inputs: sets.flatMap((set) => requiredFromSet(set, syntheticFields)) };
    }
  }
  return undefined;
}

function withoutName(document: DocumentNode): DocumentNode {
  return visit(document, {
    OperationDefinition({ name: _name, ...unnamed }) {
      return unnamed;
    },
  });
}
