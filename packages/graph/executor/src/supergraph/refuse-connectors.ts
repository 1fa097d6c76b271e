import type { DirectiveNode, DocumentNode } from 'graphql';
import { Kind, visit } from 'graphql';

import { stringArgument } from './join-directives.ts';
import { SupergraphError } from './supergraph-error.ts';

/** The URL prefix of the connector specification, in any version. */
export const connectPrefix = 'https://specs.apollo.dev/connect/';

/**
 * Rejects a supergraph with connectors, which are not GraphQL subgraphs. Compositions link their
 * specification; previews carry the subgraphs' own directives and links over, each as a `@join__directive`.
 *
 * @throws {SupergraphError} when it has any
 */
export function refuseConnectors(document: DocumentNode): void {
  visit(document, {
    Directive(node) {
      if (linkedUrl(node)?.startsWith(connectPrefix) === true || isCarriedOver(node)) {
        throw new SupergraphError('connectors are not supported; write a small subgraph over the REST API');
      }
    },
  });
}

function linkedUrl(directive: DirectiveNode): string | undefined {
  if (directive.name.value === 'link') {
    return stringArgument(directive, 'url');
  }
  const args = directive.arguments?.find(({ name }) => name.value === 'args')?.value;
  const url =
    directive.name.value === 'join__directive' && args?.kind === Kind.OBJECT
      ? args.fields.find(({ name }) => name.value === 'url')?.value
      : undefined;
  return url?.kind === Kind.STRING ? url.value : undefined;
}

function isCarriedOver(directive: DirectiveNode): boolean {
  const name = directive.name.value === 'join__directive' ? stringArgument(directive, 'name') : undefined;
  return name === 'connect' || name === 'source';
}
