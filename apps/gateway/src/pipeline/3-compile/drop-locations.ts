import type { DocumentNode } from 'graphql';

/**
 * Takes the locations out of a document, for the cache: the location of a node keeps all tokens of the text alive, and
 * takes more memory than the node. The document itself changes, as a copy of each node takes several times as long.
 */
export function dropLocations(document: DocumentNode): void {
  dropFrom(document);
}

function dropFrom(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(dropFrom);
  } else if (typeof value === 'object' && value !== null) {
    if ('loc' in value) {
      value.loc = undefined;
    }
    Object.values(value).forEach(dropFrom);
  }
}
