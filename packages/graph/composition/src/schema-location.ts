import { Source } from 'graphql';
import type { ASTNode, Token } from 'graphql';

import type { SchemaLocation, SchemaPoint } from './composition.ts';

/**
 * The name that graphql-js gives to an unnamed text. Composition prints and parses some schemas again, without a name.
 */
const unnamedSource = new Source('').name;

/** The locations of nodes from texts that are named after their subgraph. */
export function schemaLocations(nodes: readonly ASTNode[] | undefined): SchemaLocation[] {
  return (nodes ?? []).flatMap((node) => {
    const { loc } = node;
    if (loc === undefined || loc.source.name === unnamedSource) {
      return [];
    }
    // A description is part of a definition's node, but readers look for the error at the definition.
    const description = 'description' in node ? node.description?.loc : undefined;
    const start = description?.endToken.next ?? loc.startToken;
    return [{ subgraph: loc.source.name, start: pointOf(start), end: pointOf(loc.endToken) }];
  });
}

function pointOf({ line, column }: Token): SchemaPoint {
  return { line, column };
}
