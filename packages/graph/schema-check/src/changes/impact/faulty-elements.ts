import { namedTypeOf } from '@meridian/composition/sdl/elements';
import type { ASTNode, DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { Kind, TypeInfo, getNamedType, isValueNode, visit, visitWithTypeInfo } from 'graphql';

import type { Change } from '../change.ts';
import type { OperationFacts } from './operation-facts.ts';

/** The parts of a schema that an error of an operation is about, as coordinates of the schema before. */
export interface FaultyElements {
  /** False for an error between several nodes, such as fields that do not merge. */
  readonly isAtOneNode: boolean;
  /** The elements that the nodes of the error name, with the types that these are on and of. */
  readonly elements: ReadonlySet<string>;
  /** Both types of each fragment: the one that it is on, and its condition. */
  readonly fragments: ReadonlySet<string>;
  /** The fields, directives, arguments and input fields that the nodes are within. */
  readonly enclosing: ReadonlySet<string>;
}

/** Finds the elements of each error that an operation has over another schema than the one it was written for. */
export function faultyElements(
  before: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): readonly FaultyElements[] {
  const found = errors.map(({ nodes = [] }) => ({
    nodes: new Set<ASTNode>(nodes),
    isAtOneNode: nodes.length === 1,
    elements: new Set<string>(),
    fragments: new Set<string>(),
    enclosing: new Set<string>(),
  }));
  const typeInfo = new TypeInfo(before);
  const enclosing: string[] = [];
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      enter(node) {
        const own = elementsAt(node, typeInfo, enclosing.at(-1));
        for (const error of found) {
          if (error.nodes.has(node)) {
            addAll(error.elements, own);
            addAll(error.fragments, fragmentTypes(node, typeInfo, document));
            addAll(error.enclosing, enclosing);
          }
        }
        if (encloses(node)) {
          enclosing.push(own[0] ?? '');
        }
      },
      leave(node) {
        if (encloses(node)) {
          enclosing.pop();
        }
      },
    }),
  );
  return found;
}

const enclosingKinds = new Set<ASTNode['kind']>([
  Kind.FIELD,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
  Kind.OBJECT_FIELD,
]);

function encloses({ kind }: ASTNode): boolean {
  return enclosingKinds.has(kind);
}

/**
 * The coordinates of a node: its own one first.
 *
 * @param input the argument or input field that a value is for
 */
function elementsAt(node: ASTNode, typeInfo: TypeInfo, input: string | undefined): readonly string[] {
  const parent = typeInfo.getParentType()?.name;
  const inputType = getNamedType(typeInfo.getInputType())?.name;
  if (node.kind === Kind.OPERATION_DEFINITION) {
    return ['schema'];
  }
  if (node.kind === Kind.FIELD) {
    const returned = getNamedType(typeInfo.getFieldDef()?.type)?.name;
    return present([`${parent}.${node.name.value}`, parent, returned]);
  }
  if (node.kind === Kind.DIRECTIVE) {
    return [`@${node.name.value}`];
  }
  if (node.kind === Kind.ARGUMENT) {
    const directive = typeInfo.getDirective();
    const owner = directive ? `@${directive.name}` : `${parent}.${typeInfo.getFieldDef()?.name}`;
    return present([`${owner}(${node.name.value}:)`, inputType]);
  }
  if (node.kind === Kind.OBJECT_FIELD) {
    const object = getNamedType(typeInfo.getParentInputType())?.name;
    return present([`${object}.${node.name.value}`, object, inputType]);
  }
  if (node.kind === Kind.VARIABLE_DEFINITION) {
    return [namedTypeOf(node.type)];
  }
  if (node.kind === Kind.NAMED_TYPE) {
    return [node.name.value];
  }
  const enumValue = node.kind === Kind.ENUM ? `${inputType}.${node.value}` : undefined;
  return isValueNode(node) ? present([enumValue, inputType, input]) : [];
}

function fragmentTypes(node: ASTNode, typeInfo: TypeInfo, document: DocumentNode): readonly string[] {
  const parent = typeInfo.getParentType()?.name;
  if (node.kind === Kind.INLINE_FRAGMENT) {
    return present([parent, node.typeCondition?.name.value]);
  }
  if (node.kind !== Kind.FRAGMENT_SPREAD) {
    return [];
  }
  const conditions = document.definitions.flatMap((definition) =>
    definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value
      ? [definition.typeCondition.name.value]
      : [],
  );
  return present([parent, ...conditions]);
}

function present(coordinates: readonly (string | undefined)[]): readonly string[] {
  return coordinates.filter((coordinate) => coordinate !== undefined);
}

function addAll(set: Set<string>, coordinates: Iterable<string>): void {
  for (const coordinate of coordinates) {
    set.add(coordinate);
  }
}

/** True for a change that explains an error of an operation which was valid before. */
export function isCause(
  { kind, coordinate, before }: Change,
  { isAtOneNode, elements, fragments, enclosing }: FaultyElements,
  facts: OperationFacts,
): boolean {
  if (kind.startsWith('UNION_MEMBER_') || kind.startsWith('OBJECT_TYPE_INTERFACE_')) {
    return fragments.has(coordinate) || (before !== undefined && fragments.has(before));
  }
  if (elements.has(coordinate)) {
    return true;
  }
  if (kind.startsWith('REQUIRED_') || facts.omitted.has(coordinate)) {
    // The error is at the field, directive or object from which the value is missing.
    return isAtOneNode && elements.has(ownerOf(coordinate));
  }
  return /_(?:TYPE_CHANGED|REMOVED)$/u.test(kind) && enclosing.has(coordinate);
}

/** `Query.orders` of `Query.orders(first:)`, `Filter` of `Filter.text`. */
function ownerOf(coordinate: string): string {
  return coordinate.replace(/\(\w+:\)$|\.\w+$/u, '');
}
