import type { DocumentNode } from 'graphql';
import { BREAK, visit } from 'graphql';

/** True when a document defers fragments. */
export function hasDefer(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    Directive({ name }) {
      isFound ||= name.value === 'defer';
      return isFound ? BREAK : undefined;
    },
  });
  return isFound;
}

/** The document with ordinary fragments in place of those that are deferred. */
export function withoutDefer(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: ({ name }) => (name.value === 'defer' ? null : undefined) });
}
