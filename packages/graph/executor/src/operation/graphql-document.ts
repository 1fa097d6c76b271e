import type {
  ArgumentNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  InlineFragmentNode,
  NameNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, print } from 'graphql';

/** The fragments of a document, by name. */
export function fragmentsByName({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}

/** The name of a field in responses: its alias, if it has one. */
export function responseNameOf({ alias, name }: Pick<FieldNode, 'alias' | 'name'>): string {
  return (alias ?? name).value;
}

/** The arguments of a field in one way of writing them, whatever their order. */
export function canonicalArguments(nodes: readonly ArgumentNode[]): string {
  return nodes
    .map((node) => print(node))
    .toSorted()
    .join(', ');
}

export function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

/** Selections for the objects of a type; of any type where none is named. */
export function fragmentOn(typeName: string | undefined, selectionSet: SelectionSetNode): InlineFragmentNode {
  return {
    kind: Kind.INLINE_FRAGMENT,
    ...(typeName !== undefined && { typeCondition: { kind: Kind.NAMED_TYPE, name: nameNode(typeName) } }),
    selectionSet,
  };
}

export const typenameField: FieldNode = { kind: Kind.FIELD, name: nameNode('__typename') };
