import type { DirectiveNode, DocumentNode } from 'graphql';
import { Kind } from 'graphql';

import { SupergraphError } from './supergraph-error.ts';

/** The URL prefix of the specification that every composed schema links, in any version. */
const joinPrefix = 'https://specs.apollo.dev/join/';

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
