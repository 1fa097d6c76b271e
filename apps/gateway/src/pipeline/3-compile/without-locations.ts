import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

/**
 * The document without locations, for the cache: the location of a node keeps all tokens of the text alive, and takes
 * more memory than the node.
 */
export function withoutLocations(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter({ loc: _loc, ...node }) {
      return node;
    },
  });
}
