// Splits fetches of interface object fields that are selected for some types only. To the subgraph all these
// types are one, so the planner asks for all of these fields for all of them. Then
//
// - a non-null field that fails nulls an entity of another type, for which it was not selected;
// - the input of a `@requires` is required of all types, though it was fetched for some: an entity of another
//   type is left out;
// - or the representations of the other types have no key: they identify no entity, and their results replace
//   known data.
//
// Here such a fetch is split by types: entities of each type get the fields selected for it, with the inputs
// that they have. The parts run at the same time.
import type { DocumentNode, SelectionSetNode } from 'graphql';
import { Kind, isInterfaceType, print } from 'graphql';

import type { SelectionSet } from '../operation/selection.ts';
import { fieldsWhere } from '../operation/selection.ts';
import { fieldNamesOf } from '../supergraph/field-set.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { intersect } from '../supergraph/occurring-types.ts';
import { isOfType, possibleTypes } from '../supergraph/schema-types.ts';
import { entityFields, keepEntityFields, mapEntitySet, partOfFetch } from './entity-document.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { addFetch, createRoot, namesInDataOf, requestedTypes, shapeAt } from './fetched-shape.ts';
import { fetchesOf, inParallel } from './plan-steps.ts';
import type { FetchStep, OperationKind, PlanStep, RequiredField, RequiredSelection } from './plan.ts';
import { isRequired, pruneToRequired, requiredSelectionsAt } from './required-selections.ts';
import { sentTypename } from '../selections/representations.ts';

export function splitInterfaceObjectFetches(
  root: PlanStep,
  { operationKind, selections }: { readonly operationKind: OperationKind; readonly selections: SelectionSet },
  supergraph: Supergraph,
): PlanStep {
  const fetches = fetchesOf(root);
  if (!fetches.some((fetch) => isForInterfaceObject(fetch, supergraph))) {
    return root;
  }
  const fetched = createRoot(supergraph, operationKind);
  const implementers = implementersOf(supergraph);

  const fit = (step: PlanStep): PlanStep => {
    if (step.kind !== 'fetch') {
      return { ...step, steps: step.steps.map(fit) };
    }
    const parts = narrowPath(step, { fetched, fetches, selections, implementers }, supergraph).flatMap(
      (part) =>
        isForInterfaceObject(part, supergraph)
          ? splitFetchByTypes(part, { shape: shapeAt(fetched, part.path), fetches, selections }, supergraph)
          : [part],
    );
    parts.forEach((part) => addFetch(fetched, part, supergraph));
    return inParallel(parts);
  };
  return fit(root);
}

/** The types whose objects some subgraph knows as interface objects only. */
function implementersOf({ schema, subgraphs, subgraphTypes }: Supergraph): ReadonlySet<string> {
  return new Set(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      isInterfaceType(type) && subgraphs.some(({ name }) => subgraphTypes.isObject(name, type.name))
        ? Array.from(possibleTypes(schema, type.name))
        : [],
    ),
  );
}

function isForInterfaceObject(
  { requires, typenameRewrites, subgraph }: FetchStep,
  { schema, subgraphTypes }: Supergraph,
): boolean {
  return (
    requires !== undefined &&
    typenameRewrites.some(
      ({ typename }) =>
        isInterfaceType(schema.getType(typename)) && subgraphTypes.isObject(subgraph, typename),
    )
  );
}

interface Surroundings {
  /** The data of the fetches before this one, for its entities. */
  readonly shape: FetchedShape;
  /** All of the plan. */
  readonly fetches: readonly FetchStep[];
  readonly selections: SelectionSet;
}

/** Types of entities that are asked for together. */
interface Group {
  readonly document: DocumentNode;
  readonly requires: RequiredSelection[];
}

function splitFetchByTypes(
  fetch: FetchStep,
  { shape, fetches, selections }: Surroundings,
  supergraph: Supergraph,
): readonly FetchStep[] {
  const { requires = [], subgraph } = fetch;
  const { schema, subgraphTypes } = supergraph;
  const requiredHere = requiredSelectionsAt(fetch.path, { fetches, selections, schema });
  const namesInData = namesInDataOf(fetch);
  const groups = new Map<string, Group>();
  let isUniform = true;
  for (const type of intersect(requestedTypes(fetch, schema), shape.types)) {
    const required = fieldsWhere<RequiredField>(requires, (condition) =>
      isOfType(schema, type, condition ?? type),
    );
    const keys = subgraphTypes.keysOf(subgraph, sentTypename(schema, fetch.typenameRewrites, type));
    if (!keys.some((key) => holds(required, key))) {
      isUniform = false;
      continue;
    }
    const missing = missingOf(type, required, shape);
    const needed = mapEntitySet(fetch.document, (set) =>
      pruneToRequired(set, requiredHere, type, namesInData),
    );
    const document = keepEntityFields(needed, ({ typeName, name }) => {
      const inputs = subgraphTypes.requiresOf(subgraph, typeName, name);
      return inputs === undefined || intersect(fieldNamesOf(inputs), missing).size === 0;
    });
    const text = print(document);
    const group = groups.get(text) ?? { document, requires: [] };
    groups.set(text, group);
    const present = required.filter(({ planName }) => !missing.has(planName));
    group.requires.push({ kind: 'fragment', typeCondition: type, selections: present });
    isUniform &&= missing.size === 0;
  }
  if (groups.size === 0) {
    return [fetch];
  }
  const [only, another] = groups.values();
  if (isUniform && only !== undefined && another === undefined) {
    return [partOfFetch(fetch, only.document, requires)];
  }
  return [...groups.values()]
    .filter(({ document }) => entityFields(document).some(({ name }) => name !== '__typename'))
    .map((group) => partOfFetch(fetch, group.document, group.requires));
}

/** The required fields that were not fetched of a type. */
function missingOf(
  type: string,
  required: readonly RequiredField[],
  { fields }: FetchedShape,
): ReadonlySet<string> {
  return new Set(
    required
      .map(({ planName }) => planName)
      .filter((name) => name !== '__typename' && fields.get(name)?.parentTypes.has(type) !== true),
  );
}

/** True when a representation contains a key. */
function holds(required: readonly RequiredSelection[], { selections }: SelectionSetNode): boolean {
  return selections.every((selection) => {
    if (selection.kind !== Kind.FIELD) {
      return true;
    }
    const same = required.flatMap((field) =>
      field.kind === 'field' && field.name === selection.name.value ? [field] : [],
    );
    const below = same.flatMap((field) => field.selections ?? []);
    return same.length > 0 && (selection.selectionSet === undefined || holds(below, selection.selectionSet));
  });
}

interface NarrowPathOptions {
  /** The data of the fetches before this one. */
  readonly fetched: FetchedShape;
  /** All of the plan. */
  readonly fetches: readonly FetchStep[];
  readonly selections: SelectionSet;
  /** The types whose objects some subgraph knows as interface objects only. */
  readonly implementers: ReadonlySet<string>;
}

/**
 * Splits a fetch below an interface object, if more than one of its types is known and the selections below differ:
 * the planner's path does not name the types of the objects on it.
 */
function narrowPath(
  fetch: FetchStep,
  { fetched, fetches, selections, implementers }: NarrowPathOptions,
  { schema }: Supergraph,
): readonly FetchStep[] {
  const index = divergingStep(fetch, fetched, implementers);
  const step = fetch.path[index];
  if (step === undefined || fetch.requires === undefined) {
    return [fetch];
  }
  const types = [...shapeAt(fetched, fetch.path.slice(0, index + 1)).types];
  const namesInData = namesInDataOf(fetch);
  const groups = new Map<string, { readonly part: FetchStep; readonly types: string[] }>();
  for (const type of types) {
    const requiredHere = requiredSelectionsAt(fetch.path, { fetches, selections, schema }, { index, type });
    const document = mapEntitySet(fetch.document, (set) =>
      pruneToRequired(set, requiredHere, undefined, namesInData),
    );
    if (!isRequired(requiredHere) || entityFields(document).length === 0) {
      continue;
    }
    const part = partOfFetch(fetch, document, fetch.requires);
    const group = groups.get(part.text) ?? { part, types: [] };
    groups.set(part.text, group);
    group.types.push(type);
  }
  const all = [...groups.values()];
  const covered = all.reduce((count, group) => count + group.types.length, 0);
  if (all.length === 0 || (all.length === 1 && covered === types.length)) {
    return [fetch];
  }
  return all.map((group) =>
    onPath(group.part, fetch.path.with(index, { name: step.name, types: group.types })),
  );
}

function onPath(fetch: FetchStep, path: FetchStep['path']): FetchStep {
  return { ...fetch, path };
}

/**
 * The first step of a path, before its last, to objects of which more than one type is known; -1 where there is none.
 */
function divergingStep(
  { path }: FetchStep,
  fetched: FetchedShape,
  implementers: ReadonlySet<string>,
): number {
  let shape: FetchedShape | undefined = fetched;
  for (const [index, { name, types }] of path.slice(0, -1).entries()) {
    shape = shape?.fields.get(name)?.shape;
    if (shape === undefined) {
      return -1;
    }
    const resolved = shape.fields.get('__typename')?.parentTypes;
    const isKnown = [...shape.types].every((type) => implementers.has(type) && resolved?.has(type) === true);
    if (types === undefined && shape.types.size > 1 && isKnown) {
      return index;
    }
  }
  return -1;
}
