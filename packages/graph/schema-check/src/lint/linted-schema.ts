import type { Element } from '../changes/federation/elements.ts';
import type { SubgraphSource } from '../changes/graph.ts';
import type { ChangeKind } from '../changes/kinds.ts';
import { elementsOf } from '../changes/federation/elements.ts';
import type { ConstDirectiveNode, TypeNode } from 'graphql';
import { Kind, OperationTypeNode, isTypeDefinitionNode, isTypeExtensionNode } from 'graphql';

/** A subgraph's schema, as the rules read it. */
export interface LintedSchema {
  /** Without the elements of specifications, whose names have two underscores or start with one. */
  readonly elements: readonly Element[];
  /** The name of a root type, and its operations. */
  readonly rootTypes: ReadonlyMap<string, OperationTypeNode>;
  /** True for an object type, an interface or a union. */
  readonly isComposite: (typeName: string) => boolean;
  /** True where any subgraph describes the element. */
  readonly isDescribed: (coordinate: string) => boolean;
}

/** An element that breaks a rule. */
export interface LintFinding {
  readonly kind: ChangeKind;
  readonly coordinate: string;
}

/** Finds the elements of a schema that break a rule. */
export type LintRule = (schema: LintedSchema) => readonly LintFinding[];

/** Prepares the schemas of one graph for the rules. */
export function readLintedSchemas(sources: readonly SubgraphSource[]): readonly LintedSchema[] {
  const all = sources.map(({ document }) => [...elementsOf(document)].filter(isOwn));
  const described = new Set(
    all
      .flat()
      .flatMap(({ coordinate, node }) =>
        'description' in node && node.description !== undefined ? [coordinate] : [],
      ),
  );
  return all.map((elements) => {
    const composite = new Set(
      elements.flatMap(({ coordinate, node }) => (isCompositeNode(node) ? [coordinate] : [])),
    );
    return {
      elements,
      rootTypes: rootTypesOf(elements),
      isComposite: (typeName) => composite.has(typeName),
      isDescribed: (coordinate) => described.has(coordinate),
    };
  });
}

function isOwn({ coordinate }: Element): boolean {
  return !/(?:^|[.(@])_|__/u.test(coordinate);
}

const compositeKinds: ReadonlySet<string> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_EXTENSION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_EXTENSION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.UNION_TYPE_EXTENSION,
]);

function isCompositeNode({ kind }: Element['node']): boolean {
  return compositeKinds.has(kind);
}

/** The root types of a schema definition, or else the types with their usual names. */
function rootTypesOf(elements: readonly Element[]): LintedSchema['rootTypes'] {
  const named = elements.flatMap(({ node }) =>
    node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION
      ? (node.operationTypes ?? [])
      : [],
  );
  return new Map<string, OperationTypeNode>(
    named.length > 0
      ? named.map(({ type, operation }) => [type.name.value, operation])
      : [
          ['Query', OperationTypeNode.QUERY],
          ['Mutation', OperationTypeNode.MUTATION],
          ['Subscription', OperationTypeNode.SUBSCRIPTION],
        ],
  );
}

/** True for a definition or an extension of a type. */
export function isTypeElement({ node }: Element): boolean {
  return isTypeDefinitionNode(node) || isTypeExtensionNode(node);
}

/** Finds a directive, also one that is imported with the prefix of its specification. */
export function directiveOf(
  directives: readonly ConstDirectiveNode[],
  name: string,
): ConstDirectiveNode | undefined {
  return directives.find(
    (directive) => directive.name.value === name || directive.name.value.endsWith(`__${name}`),
  );
}

/** True for a list, which may be non-null. */
export function isList(type: TypeNode): boolean {
  return type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));
}
