import type { ArgumentNode } from 'graphql';
import { print } from 'graphql';

/** The arguments of a field in one way of writing them, whatever their order. */
export function canonicalArguments(nodes: readonly ArgumentNode[]): string {
  return nodes
    .map((node) => print(node))
    .toSorted()
    .join(', ');
}
