import type { SubgraphInterface } from '@meridian/composition';
import type { FetchStep, RequiredField, RequiredSelection } from '@meridian/executor';
import type { FieldNode, GraphQLError, GraphQLNamedType, GraphQLOutputType, SelectionSetNode } from 'graphql';
import { Kind, getNamedType, isAbstractType, isEnumType, isInterfaceType, isObjectType } from 'graphql';

import { operationErrors } from '../changes/impact/validate-operation.ts';
import { inputObstacles } from './input-obstacles.ts';
import type { ForeignFetch, Obstacle } from './obstacle.ts';
import { takesValuesOf } from './obstacle.ts';

/**
 * Finds the reasons why a version of a subgraph cannot answer a fetch, or responds with what the gateway does not accept.
 */
export function fetchObstacles(foreign: ForeignFetch): readonly Obstacle[] {
  const { fetch, subgraph } = foreign;
  const errors = errorsIn(subgraph, fetch);
  if (errors.length > 0) {
    return errors.map(({ message }) => ({ coordinate: 'fetch', message: oneLine(message), side: 'fetch' }));
  }
  const found: Obstacle[] = [];
  for (const definition of fetch.document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const root = subgraph.schema.getRootType(definition.operation);
      if (root) {
        walk(definition.selectionSet, { ...foreign, found, parent: root, sent: undefined, provided: [] });
      }
      found.push(...inputObstacles(definition, foreign));
    }
  }
  return found;
}

interface Walk extends ForeignFetch {
  readonly found: Obstacle[];
  readonly parent: GraphQLNamedType;
  /** The representations, on the level of the entities. */
  readonly sent: readonly RequiredSelection[] | undefined;
  /** The field sets of `@provides` that hold here. */
  readonly provided: readonly SelectionSetNode[];
}

function walk({ selections }: SelectionSetNode, state: Walk): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      walkField(selection, state);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const name = selection.typeCondition?.name.value;
      const parent = name === undefined ? state.parent : state.subgraph.schema.getType(name);
      if (parent !== undefined) {
        checkKeys(parent.name, state);
        walk(selection.selectionSet, { ...state, parent });
      }
    }
  }
}

/** An entity is found by a key: the representations must have all fields of one. */
function checkKeys(typeName: string, { sent, subgraph, found }: Walk): void {
  const keys = subgraph.keysOf(typeName);
  if (sent !== undefined && !keys.some((key) => coversFieldSet(sent, key))) {
    const known = keys.length === 0 ? 'no key' : keys.map((key) => `\`${fieldSetText(key)}\``).join(' or ');
    found.push({
      coordinate: typeName,
      message: `${typeName} is found by ${known} there, which is not what the fetch sends`,
      side: 'fetch',
    });
  }
}

function walkField(field: FieldNode, state: Walk): void {
  const { parent, subgraph, fetch, found, sent, provided } = state;
  const name = field.name.value;
  if (name === '_entities' && fetch.requires !== undefined) {
    const union = subgraph.schema.getType('_Entity');
    if (union && field.selectionSet) {
      walk(field.selectionSet, { ...state, parent: union, sent: fetch.requires });
    }
    return;
  }
  const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  if (definition === undefined) {
    return;
  }
  const coordinate = `${parent.name}.${name}`;
  const requirement = subgraph.requirementOf(coordinate);
  if (requirement !== undefined && !(sent !== undefined && coversFieldSet(sent, requirement))) {
    found.push({
      coordinate,
      message: `${coordinate} requires \`${fieldSetText(requirement)}\` there, which the fetch does not send`,
      side: 'fetch',
    });
  }
  const isProvided = provided.some((set) => fieldOf(set, name) !== undefined);
  if (subgraph.isExternal(coordinate) && !isProvided && !isInKey(name, parent.name, subgraph)) {
    found.push({ coordinate, message: `${coordinate} is @external there`, side: 'fetch' });
  }
  checkValues(coordinate, definition.type, state);
  if (field.selectionSet) {
    const inner = provided.flatMap((set) => fieldOf(set, name)?.selectionSet ?? []);
    const own = subgraph.provisionOf(coordinate);
    walk(field.selectionSet, {
      ...state,
      parent: getNamedType(definition.type),
      sent: undefined,
      provided: own === undefined ? inner : [...inner, own],
    });
  }
}

/** The gateway checks the response against its own supergraph. */
function checkValues(
  coordinate: string,
  produced: GraphQLOutputType,
  { supergraph, parent, found, subgraph }: Walk,
): void {
  const type = supergraph.schema.getType(parent.name);
  const name = coordinate.slice(parent.name.length + 1);
  const expected = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name]?.type : undefined;
  if (expected === undefined) {
    return;
  }
  if (!takesValuesOf(supergraph.schema, expected, produced)) {
    found.push({
      coordinate,
      message: `${coordinate} is ${String(produced)} there, and the supergraph expects ${String(expected)}`,
      side: 'output',
    });
    return;
  }
  const inner = getNamedType(produced);
  const known = supergraph.schema.getType(inner.name);
  for (const unknown of unknownValues(inner, known, { supergraph, subgraph })) {
    found.push({
      coordinate: unknown,
      message: `${coordinate} may be ${unknown}, which the supergraph does not know`,
      side: 'output',
    });
  }
}

/** Enum values and possible types that only the subgraph knows. */
function unknownValues(
  type: GraphQLNamedType,
  known: GraphQLNamedType | undefined,
  { supergraph, subgraph }: Pick<ForeignFetch, 'supergraph' | 'subgraph'>,
): readonly string[] {
  if (isEnumType(type) && isEnumType(known)) {
    const names = new Set(known.getValues().map(({ name }) => name));
    return type
      .getValues()
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => `${type.name}.${name}`);
  }
  if (isAbstractType(type) && isAbstractType(known)) {
    const names = new Set(supergraph.schema.getPossibleTypes(known).map(({ name }) => name));
    return subgraph.schema
      .getPossibleTypes(type)
      .map(({ name }) => name)
      .filter((name) => !names.has(name));
  }
  return [];
}

function fieldOf({ selections }: SelectionSetNode, name: string): FieldNode | undefined {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD && selection.name.value === name) {
      return selection;
    }
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? fieldOf(selection.selectionSet, name) : undefined;
    if (inner !== undefined) {
      return inner;
    }
  }
  return undefined;
}

function isInKey(name: string, typeName: string, subgraph: SubgraphInterface): boolean {
  return subgraph.keysOf(typeName).some((key) => fieldOf(key, name) !== undefined);
}

/** The most errors of one fetch that are reasons. */
const maxErrors = 3;

function errorsIn({ schema }: SubgraphInterface, { document }: FetchStep): readonly GraphQLError[] {
  return operationErrors(schema, document).slice(0, maxErrors);
}

function oneLine(message: string): string {
  return message.replaceAll(/\s+/gu, ' ');
}

/** True when representations have every field of a field set, at any depth. */
function coversFieldSet(sent: readonly RequiredSelection[], { selections }: SelectionSetNode): boolean {
  const fields = fieldsIn(sent);
  return selections.every((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return coversFieldSet(sent, selection.selectionSet);
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD || selection.name.value === '__typename') {
      return true;
    }
    const field = fields.find(({ name }) => name === selection.name.value);
    return (
      field !== undefined &&
      (selection.selectionSet === undefined || coversFieldSet(field.selections ?? [], selection.selectionSet))
    );
  });
}

/** The names of the fields of a field set, as messages show them: `sku organization { id }`. */
function fieldSetText({ selections }: SelectionSetNode): string {
  return selections
    .map((selection) => {
      const inner = 'selectionSet' in selection ? selection.selectionSet : undefined;
      const name =
        selection.kind === Kind.FIELD
          ? selection.name.value
          : `... on ${selection.kind === Kind.INLINE_FRAGMENT ? (selection.typeCondition?.name.value ?? '') : selection.name.value}`;
      return inner === undefined ? name : `${name} { ${fieldSetText(inner)} }`;
    })
    .join(' ');
}

function fieldsIn(selections: readonly RequiredSelection[]): readonly RequiredField[] {
  return selections.flatMap((selection) =>
    selection.kind === 'field' ? [selection] : fieldsIn(selection.selections),
  );
}
