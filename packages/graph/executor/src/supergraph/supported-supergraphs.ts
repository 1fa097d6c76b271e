import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals';
import type { DirectiveNode, DocumentNode } from 'graphql';
import { Kind, visit } from 'graphql';

import { argumentOf, stringArgument } from './join-directives.ts';
import { SupergraphError } from './supergraph-error.ts';

/** The URL prefix of the connector specification, in any version. */
const connectPrefix = 'https://specs.apollo.dev/connect/';

/** The URL prefix of the specification that every composed schema links, in any version. */
const joinPrefix = 'https://specs.apollo.dev/join/';

/** The features of supergraphs that this executor runs, by their URLs. */
export const supportedFeatures = new Set(
  [...ROUTER_SUPPORTED_SUPERGRAPH_FEATURES].filter((feature) => !feature.startsWith(connectPrefix)),
);

/**
 * Rejects a schema that is not the result of a composition, such as the schema of one subgraph.
 *
 * @throws {SupergraphError} that says so
 */
export function refuseUncomposed(document: DocumentNode): void {
  const isComposed = document.definitions.some(
    (definition) => definition.kind === Kind.SCHEMA_DEFINITION && definition.directives?.some(linksJoin),
  );
  if (!isComposed) {
    throw new SupergraphError(
      'the schema is not composed: compose the schemas of the subgraphs, for example with rover supergraph compose',
    );
  }
}

function linksJoin({ arguments: values = [] }: DirectiveNode): boolean {
  return values.some(({ value }) => value.kind === Kind.STRING && value.value.startsWith(joinPrefix));
}

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
  const args = argumentOf(directive, 'args');
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
