import type { DefinitionNode, DocumentNode } from 'graphql';
import { Kind, isTypeDefinitionNode, isTypeExtensionNode } from 'graphql';

/** Coordinate → the nodes that define it, where several do: `W`, `W.field` and `@directive`. */
export function repeatedDefinitions({ definitions }: DocumentNode): ReadonlyMap<string, DefinedNode[]> {
  const all = Map.groupBy(definitions.flatMap(definedIn), ({ coordinate }) => coordinate);
  return new Map(
    [...all].flatMap(([coordinate, found]) =>
      found.length > 1 ? [[coordinate, found.map(({ node }) => node)]] : [],
    ),
  );
}

type DefinedNode = DefinitionNode | NonNullable<ReturnType<typeof fieldsOf>>[number];

interface Defined {
  readonly coordinate: string;
  readonly node: DefinedNode;
}

function definedIn(node: DefinitionNode): readonly Defined[] {
  if (node.kind === Kind.DIRECTIVE_DEFINITION) {
    return [{ coordinate: `@${node.name.value}`, node }];
  }
  if (!isTypeDefinitionNode(node) && !isTypeExtensionNode(node)) {
    return [];
  }
  const fields = (fieldsOf(node) ?? []).map((field) => ({
    coordinate: `${node.name.value}.${field.name.value}`,
    node: field,
  }));
  return isTypeDefinitionNode(node) ? [{ coordinate: node.name.value, node }, ...fields] : fields;
}

function fieldsOf(node: DefinitionNode) {
  return 'fields' in node ? node.fields : undefined;
}
