// Apollo's planner nests some fields below others of a fetch where the subgraph cannot resolve them: external fields that
// nothing provides, and fields with `@requires`, whose inputs come with representations only. Here they are lifted out.
import type { FieldNode, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind, OperationTypeNode, isInterfaceType } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { fieldTypeName, findRootType } from '../supergraph/schema-types.ts';
import { askForEntities, mapEntitySet, mapOperation, partOfFetch } from './entity-document.ts';
import { namesInDataOf } from './fetched-shape.ts';
import type { FetchStep, PathStep, Rename, RequiredSelection } from './plan.ts';
import { requiredFromSet } from './required-selections.ts';
import { fragmentOn, responseNameOf, typenameField } from '../operation/graphql-document.ts';

export interface LiftedFetch {
  /** The fetch without the nested fields that its subgraph cannot resolve there. */
  readonly rest: FetchStep;
  /** Fetches of these fields, by a key of their objects. The representations have nothing else. */
  readonly lifted: readonly FetchStep[];
}

/** The objects that a selection is made on. */
interface Place {
  readonly typeName: string;
  /** From the objects of the fetch: the names in the data, and those in the response. */
  readonly path: readonly PathStep[];
  readonly responseNames: readonly string[];
  /** The external fields that fields above provide. */
  readonly provided: readonly SelectionNode[];
}

/** False for a lifted fetch whose subgraph does not look its objects up. */
export function hasKey({ requires = [] }: FetchStep): boolean {
  return requires.some(({ selections = [] }) => selections.length > 0);
}

export function liftNested(fetch: FetchStep, supergraph: Supergraph): LiftedFetch {
  const { schema, subgraphTypes } = supergraph;
  const { subgraph, requires } = fetch;
  const namesInData = namesInDataOf(fetch);
  const lifted: FetchStep[] = [];

  const lift = (set: SelectionSetNode, place: Place): SelectionSetNode => {
    const { typeName, responseNames, provided } = place;
    const isLifted = (selection: SelectionNode): boolean =>
      selection.kind === Kind.FIELD &&
      responseNames.length > 0 &&
      subgraphTypes.isObject(subgraph, typeName) &&
      !resolvesBelow({ subgraph, typeName, name: selection.name.value }, provided, supergraph);
    const kept = set.selections
      .filter((selection) => !isLifted(selection))
      .map((selection) => liftBelow(selection, place));
    const fields = set.selections.filter(isLifted);
    if (fields.length === 0) {
      return { ...set, selections: kept };
    }
    const keys = subgraphTypes
      .keysOf(subgraph, typeName)
      .map(({ selections }) => merge([typenameField], selections));
    const key = keys.find((one) => merge(kept, one).length === kept.length) ?? keys[0] ?? [];
    const { rest, lifted: below } = liftNested(
      fetchBelow(fetch, { place, key, fields }, supergraph),
      supergraph,
    );
    lifted.push(rest, ...below);
    return { ...set, selections: merge(kept, key) };
  };

  const liftBelow = (selection: SelectionNode, place: Place): SelectionNode => {
    if (selection.kind === Kind.FRAGMENT_SPREAD || selection.selectionSet === undefined) {
      return selection;
    }
    const below =
      selection.kind === Kind.FIELD
        ? placeBelow(selection, place)
        : narrow(place, selection.typeCondition?.name.value);
    return { ...selection, selectionSet: lift(selection.selectionSet, below) };
  };

  const placeBelow = (
    { name: { value: name }, alias }: FieldNode,
    { typeName, path, responseNames, provided }: Place,
  ): Place => {
    const responseName = alias?.value ?? name;
    const ownProvided = subgraphTypes.providesOf(subgraph, typeName, name)?.selections ?? [];
    return {
      typeName: fieldTypeName(schema, typeName, name) ?? '',
      path: [...path, { name: namesInData.get(responseName) ?? responseName, types: undefined }],
      responseNames: [...responseNames, responseName],
      provided: [...ownProvided, ...selectionsBelow(name, provided)],
    };
  };

  const top: Place = {
    typeName: requires === undefined ? (findRootType(schema, fetch.operationKind)?.name ?? '') : '_Entity',
    path: [],
    responseNames: [],
    provided: [],
  };
  const document =
    requires === undefined
      ? mapOperation(fetch.document, ({ selectionSet, ...node }) => ({
          ...node,
          selectionSet: lift(selectionSet, top),
        }))
      : mapEntitySet(fetch.document, (set) => lift(set, top));
  return { rest: lifted.length === 0 ? fetch : partOfFetch(fetch, document, requires), lifted };
}

function narrow(place: Place, typeCondition: string | undefined): Place {
  const { typeName, path } = place;
  const last = path.at(-1);
  if (typeCondition === undefined || typeCondition === typeName) {
    return place;
  }
  return {
    ...place,
    typeName: typeCondition,
    path: last === undefined ? path : [...path.slice(0, -1), { ...last, types: [typeCondition] }],
  };
}

interface Unresolved {
  readonly place: Place;
  readonly key: readonly SelectionNode[];
  readonly fields: readonly SelectionNode[];
}

/** A fetch of fields of nested objects, by their key. */
function fetchBelow(
  fetch: FetchStep,
  { place: { typeName, path, responseNames }, key, fields }: Unresolved,
  { schema, syntheticFields }: Supergraph,
): FetchStep {
  const fragment = fragmentOn(typeName, selectionSetOf(fields));
  const isInterfaceObject = isInterfaceType(schema.getType(typeName));
  const below: FetchStep = {
    ...fetch,
    operationKind: OperationTypeNode.QUERY,
    contextVariables: fetch.contextVariables.map((variable) => ({
      ...variable,
      levels: variable.levels + path.length,
    })),
    path: [...fetch.path, ...path],
    typenameRewrites: isInterfaceObject ? [{ type: typeName, typename: typeName }] : [],
    renames: fetch.renames.flatMap((rename) => renameBelow(rename, responseNames)),
  };
  const representation: RequiredSelection = {
    kind: 'fragment',
    typeCondition: typeName,
    selections: requiredFromSet(selectionSetOf(key), syntheticFields),
  };
  return partOfFetch(below, askForEntities(fetch.document, selectionSetOf([fragment])), [representation]);
}

/** The rename as it is seen from below these fields, where its path goes through them. */
function renameBelow(rename: Rename, [name, ...rest]: readonly string[]): readonly Rename[] {
  if (name === undefined) {
    return [rename];
  }
  const index = rename.path.findIndex(({ kind }) => kind === 'field');
  return rename.path[index]?.name === name
    ? renameBelow({ ...rename, path: rename.path.slice(index + 1) }, rest)
    : [];
}

/** The selections, with others that they lack. */
function merge(
  selections: readonly SelectionNode[],
  added: readonly SelectionNode[],
): readonly SelectionNode[] {
  const all = [...selections];
  for (const one of added) {
    const index = all.findIndex((other) => isSameField(one, other));
    const same = all[index];
    if (same?.kind !== Kind.FIELD) {
      all.push(one);
      continue;
    }
    const below = merge(selectionsOf(same), selectionsOf(one));
    if (below.length > 0) {
      all[index] = { ...same, selectionSet: selectionSetOf(below) };
    }
  }
  return all;
}

function isSameField(one: SelectionNode, other: SelectionNode): boolean {
  return one.kind === Kind.FIELD && other.kind === Kind.FIELD && one.name.value === responseNameOf(other);
}

function selectionsOf(selection: SelectionNode): readonly SelectionNode[] {
  return selection.kind === Kind.FRAGMENT_SPREAD ? [] : (selection.selectionSet?.selections ?? []);
}

function selectionSetOf(selections: readonly SelectionNode[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections };
}

/** The selections of a set of fields. */
type Selections = readonly SelectionNode[];

/**
 * True when a subgraph resolves a field of an object that another of its fields leads to. Nobody sent it that object: it
 * has the external fields that fields above provide, and no other inputs for a `@requires`.
 */
function resolvesBelow(
  { subgraph, typeName, name }: { subgraph: string; typeName: string; name: string },
  provided: Selections,
  supergraph: Supergraph,
): boolean {
  const { schema, subgraphTypes } = supergraph;
  if (name.startsWith('__') || fieldsNamed(name, provided).length > 0) {
    return true;
  }
  if (subgraphTypes.isExternal(subgraph, typeName, name)) {
    return false;
  }
  const resolvesAll = (selections: Selections, type: string, known: Selections): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return true;
      }
      const below = selection.selectionSet?.selections ?? [];
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return resolvesAll(below, selection.typeCondition?.name.value ?? type, known);
      }
      const input = selection.name.value;
      return (
        resolvesBelow({ subgraph, typeName: type, name: input }, known, supergraph) &&
        resolvesAll(below, fieldTypeName(schema, type, input) ?? '', selectionsBelow(input, known))
      );
    });
  return resolvesAll(
    subgraphTypes.requiresOf(subgraph, typeName, name)?.selections ?? [],
    typeName,
    provided,
  );
}

/** The selections below a field of a set. */
function selectionsBelow(name: string, selections: Selections): Selections {
  return fieldsNamed(name, selections).flatMap((field) => field.selectionSet?.selections ?? []);
}

function fieldsNamed(name: string, selections: Selections): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsNamed(name, selection.selectionSet.selections);
    }
    return selection.kind === Kind.FIELD && selection.name.value === name ? [selection] : [];
  });
}
