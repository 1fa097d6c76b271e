import type { GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind, OperationTypeNode, isInterfaceType } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { intersect } from '../supergraph/occurring-types.ts';
import {
  fieldTypeName,
  findRootType,
  isOfType,
  isUntyped,
  possibleTypes,
} from '../supergraph/schema-types.ts';
import type { FetchStep, OperationKind, PathStep, RequiredField, RequiredSelection } from './plan.ts';
import { responseNameOf } from '../operation/graphql-document.ts';
import { responseSelections } from '../selections/response-fields.ts';

/** The fields and objects that fetches contribute at one place of the data. */
export interface FetchedShape {
  /** The types that a value here can have, as far as the subgraphs that it comes from can tell. */
  readonly types: Set<string>;
  /** By plan name: the types of the object for which it is fetched, and the shape below. */
  readonly fields: Map<string, { readonly parentTypes: Set<string>; readonly shape: FetchedShape }>;
}

/** Creates the root of the data, with the contributions of these fetches. */
export function createRoot(
  supergraph: Supergraph,
  kind: OperationKind,
  fetches: readonly FetchStep[] = [],
): FetchedShape {
  const root: FetchedShape = {
    types: new Set([findRootType(supergraph.schema, kind)?.name ?? '']),
    fields: new Map(),
  };
  fetches.forEach((fetch) => addFetch(root, fetch, supergraph));
  return root;
}

/** The places of a fetch's objects. */
export function shapeAt(root: FetchedShape, path: readonly PathStep[]): FetchedShape {
  let shape = root;
  for (const { name } of path) {
    shape = name === '' ? shape : (shape.fields.get(name)?.shape ?? shape);
  }
  return shape;
}

/** The contribution of fetches of entities to every object of a path, whatever types limit its steps and theirs. */
export function suppliedAt(
  path: readonly PathStep[],
  fetches: readonly FetchStep[],
  supergraph: Supergraph,
): FetchedShape {
  const here = createRoot(supergraph, OperationTypeNode.QUERY);
  for (const fetch of fetches) {
    if (fetch.requires !== undefined && isWithin(path, fetch.path, supergraph)) {
      const limit = fetch.path.slice(-1).map(({ types }) => ({ name: '', types }));
      addFetch(here, { ...fetch, path: limit }, supergraph);
    }
  }
  return here;
}

/** True when each object of a path is an object of another path too. */
function isWithin(path: readonly PathStep[], other: readonly PathStep[], { schema }: Supergraph): boolean {
  return (
    path.length === other.length &&
    path.every(({ name, types }, index) => {
      const step = other[index];
      const isTyped = (type: string): boolean =>
        step?.types?.some((condition) => isOfType(schema, type, condition)) ?? true;
      return name === step?.name && (step.types === undefined || types?.every(isTyped) === true);
    })
  );
}

/** True when what is required below a field is there, as far as some fetch supplies it. */
export function hasRequiredBelow(
  { planName, selections = [] }: RequiredField,
  here: FetchedShape,
  complete: FetchedShape,
): boolean {
  const [below, all] = [here.fields.get(planName)?.shape, complete.fields.get(planName)?.shape];
  return all === undefined || selections.every((selection) => isSupplied(selection, below, all));
}

function isSupplied(
  selection: RequiredSelection,
  here: FetchedShape | undefined,
  complete: FetchedShape,
): boolean {
  if (selection.kind === 'fragment') {
    return selection.selections.every((one) => isSupplied(one, here, complete));
  }
  const final = complete.fields.get(selection.planName);
  const field = here?.fields.get(selection.planName);
  if (here === undefined || final === undefined) {
    return final === undefined;
  }
  return (
    (field?.parentTypes.size ?? 0) >= final.parentTypes.size && hasRequiredBelow(selection, here, complete)
  );
}

/** Adds the contribution of a fetch. */
export function addFetch(root: FetchedShape, fetch: FetchStep, supergraph: Supergraph): void {
  const { schema, subgraphTypes } = supergraph;
  const namesInData = namesInDataOf(fetch);

  /** The subgraph of an interface object does not know the type of an object, where there is one to know. */
  const hasNoValue = (fieldName: string, typeName: string): boolean =>
    fieldName === '__typename' &&
    isInterfaceType(schema.getType(typeName)) &&
    !isUntyped(schema, schema.getType(typeName)) &&
    subgraphTypes.isObject(fetch.subgraph, typeName);

  const addSet = (
    set: SelectionSetNode,
    { typeName, types }: { readonly typeName: string; readonly types: ReadonlySet<string> },
    shape: FetchedShape,
  ): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        const narrow =
          condition === undefined
            ? { typeName, types }
            : { typeName: condition, types: intersect(types, possibleTypes(schema, condition)) };
        addSet(selection.selectionSet, narrow, shape);
      } else if (selection.kind === Kind.FIELD && !hasNoValue(selection.name.value, typeName)) {
        const responseName = responseNameOf(selection);
        const name = namesInData.get(responseName) ?? responseName;
        const field = shape.fields.get(name) ?? {
          parentTypes: new Set(),
          shape: { types: new Set(), fields: new Map() },
        };
        shape.fields.set(name, field);
        types.forEach((type) => field.parentTypes.add(type));
        const fieldType = fieldTypeName(schema, typeName, selection.name.value);
        if (selection.selectionSet !== undefined && fieldType !== undefined) {
          const below = subgraphTypes.possibleIn(fetch.subgraph, fieldType);
          below.forEach((type) => field.shape.types.add(type));
          addSet(
            selection.selectionSet,
            { typeName: fieldType, types: possibleTypes(schema, fieldType) },
            field.shape,
          );
        }
      }
    }
  };

  const rootType =
    fetch.requires === undefined ? (findRootType(schema, fetch.operationKind)?.name ?? '') : '';
  const types = fetch.requires === undefined ? new Set([rootType]) : requestedTypes(fetch, schema);
  const target = shapeAt(root, fetch.path);
  responseSelections(fetch).forEach((set) => addSet(set, { typeName: rootType, types }, target));
}

/** The names in the data of the renamed fields of a fetch, by their names in the response. */
export function namesInDataOf({ renames }: FetchStep): ReadonlyMap<string, string> {
  return new Map(renames.map(({ from, to }) => [from, to]));
}

/** The object types of a fetch's entities. */
export function requestedTypes(
  { path, requires = [] }: FetchStep,
  schema: GraphQLSchema,
): ReadonlySet<string> {
  const narrowedTo = path.at(-1)?.types;
  const requested = requires.flatMap((selection) =>
    selection.kind === 'fragment' && selection.typeCondition !== undefined
      ? Array.from(possibleTypes(schema, selection.typeCondition))
      : [],
  );
  return new Set(
    requested.filter(
      (type) => narrowedTo === undefined || narrowedTo.some((condition) => isOfType(schema, type, condition)),
    ),
  );
}
