/**
 * Takes the locations out of a document, for the cache: the location of a node keeps all tokens of the text alive, and
 * takes more memory than the node. The document itself changes, as a copy of each node takes several times as long.
 */
export function dropLocations(document: unknown): void {
  if (Array.isArray(document)) {
    document.forEach(dropLocations);
  } else if (typeof document === 'object' && document !== null) {
    if ('loc' in document) {
      document.loc = undefined;
    }
    Object.values(document).forEach(dropLocations);
  }
}
