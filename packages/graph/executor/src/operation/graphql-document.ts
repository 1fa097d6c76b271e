import type { DocumentNode, FieldNode, FragmentDefinitionNode } from 'graphql';
import { Kind } from 'graphql';

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
