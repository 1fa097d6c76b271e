import type { LinkedFeature, Supergraph } from '@meridian/executor';
import type { DefinitionNode, DirectiveNode, DocumentNode } from 'graphql';
import { Kind, isTypeDefinitionNode, print, visit } from 'graphql';

/**
 * Features that `@apollo/gateway` supports, and those that it must see in order to reject them because it
 * cannot run them correctly.
 */
const keptIdentities = new Set(
  ['core', 'link', 'join', 'tag', 'inaccessible', 'context', 'connect'].map(
    (name) => `https://specs.apollo.dev/${name}`,
  ),
);

/**
 * The supergraph without the specifications that `@apollo/gateway` rejects or does not need: security, which
 * the pipeline enforces first, and those that subgraphs composed into it.
 */
export function withoutRefusedLinks({ document, features }: Supergraph): string {
  const dropped = features.filter(({ identity }) => !keptIdentities.has(identity));
  const ownsName = (name: string, isDirective: boolean): boolean =>
    dropped.some((feature) => feature.owns({ name, isDirective }));

  const withoutDefinitions: DocumentNode = {
    ...document,
    definitions: document.definitions.filter((definition) => !isDropped(definition, ownsName)),
  };
  const kept: DocumentNode = visit(withoutDefinitions, {
    Directive: (node) => (ownsName(node.name.value, true) || isLinkOf(node, dropped) ? null : undefined),
  });
  return print(kept);
}

function isDropped(
  definition: DefinitionNode,
  ownsName: (name: string, isDirective: boolean) => boolean,
): boolean {
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
    return ownsName(definition.name.value, true);
  }
  return isTypeDefinitionNode(definition) && ownsName(definition.name.value, false);
}

/** A `@link` names its feature by a URL: the identity, then a version. */
function isLinkOf({ arguments: nodes = [] }: DirectiveNode, features: readonly LinkedFeature[]): boolean {
  return nodes.some(
    ({ name, value }) =>
      (name.value === 'url' || name.value === 'feature') &&
      value.kind === Kind.STRING &&
      features.some(({ identity }) => value.value.slice(0, value.value.lastIndexOf('/')) === identity),
  );
}
