import type {
  ConstDirectiveNode,
  DefinitionNode,
  DocumentNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  TypeNode as WrittenType,
} from 'graphql';
import { Kind, OperationTypeNode, isTypeDefinitionNode, isTypeExtensionNode } from 'graphql';

/** A part of a schema that has a coordinate and may have directives. */
export interface Element {
  readonly coordinate: string;
  /** The coordinate of the element around it; absent for a type. */
  readonly parent: string | undefined;
  readonly node: ElementNode;
  readonly directives: readonly ConstDirectiveNode[];
}

export type ElementNode =
  | Exclude<DefinitionNode, { kind: 'OperationDefinition' | 'FragmentDefinition' }>
  | FieldDefinitionNode
  | InputValueDefinitionNode
  | EnumValueDefinitionNode;

/** The elements of a document, each definition and extension by itself. The schema's own coordinate is `schema`. */
export function* elementsOf(document: DocumentNode): Generator<Element> {
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      yield element('schema', undefined, definition);
    } else if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
      yield element(`@${definition.name.value}`, undefined, definition);
    } else if (isTypeDefinitionNode(definition) || isTypeExtensionNode(definition)) {
      yield* elementsOfType(definition);
    }
  }
}

type TypeNode = Extract<ElementNode, { kind: `${string}Type${string}` }>;

function* elementsOfType(type: TypeNode): Generator<Element> {
  const name = type.name.value;
  yield element(name, undefined, type);
  const members = 'fields' in type ? type.fields : 'values' in type ? type.values : undefined;
  for (const member of members ?? []) {
    const coordinate = `${name}.${member.name.value}`;
    yield element(coordinate, name, member);
    for (const argument of 'arguments' in member ? (member.arguments ?? []) : []) {
      yield element(`${coordinate}(${argument.name.value}:)`, coordinate, argument);
    }
  }
}

function element(coordinate: string, parent: string | undefined, node: ElementNode): Element {
  return { coordinate, parent, node, directives: 'directives' in node ? (node.directives ?? []) : [] };
}

/** The root types of a schema definition, or else the types with their usual names, and the operations of each. */
export function rootTypesOf(elements: readonly Element[]): ReadonlyMap<string, OperationTypeNode> {
  const named = elements.flatMap(({ node }) =>
    node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION
      ? (node.operationTypes ?? [])
      : [],
  );
  return new Map(
    named.length > 0
      ? named.map(({ type, operation }) => [type.name.value, operation])
      : Object.values(OperationTypeNode).map((operation) => [supergraphNameOf(operation), operation]),
  );
}

/** The coordinate in the supergraph, whatever name a subgraph gives to a root type: `Query.me` for `Root.me`. */
export function supergraphCoordinate(
  coordinate: string,
  rootTypes: ReadonlyMap<string, OperationTypeNode>,
): string {
  const [type = ''] = coordinate.split('.', 1);
  const operation = rootTypes.get(type);
  return operation === undefined ? coordinate : supergraphNameOf(operation) + coordinate.slice(type.length);
}

function supergraphNameOf(operation: OperationTypeNode): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
}

/** The applications of `@link` by which a document imports specifications. */
export function linksIn(document: DocumentNode): readonly ConstDirectiveNode[] {
  return [...elementsOf(document)]
    .filter(({ coordinate }) => coordinate === 'schema')
    .flatMap(({ directives }) => directives.filter(({ name }) => name.value === 'link'));
}

/** The name of a type as written, without lists and non-null. */
export function namedTypeOf(type: WrittenType): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
