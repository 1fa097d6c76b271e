import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

/** The document as it is kept: the location of a node holds on to all tokens of the text, and takes more memory than the node. */
export function withoutLocations(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter({ loc: _loc, ...node }) {
      return node;
    },
  });
}
