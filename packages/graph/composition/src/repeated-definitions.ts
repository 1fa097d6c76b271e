import type { DocumentNode } from 'graphql';
import { isTypeExtensionNode } from 'graphql';

import type { ElementNode } from './sdl/elements.ts';
import { elementsOf } from './sdl/elements.ts';

/** Coordinate → the nodes that define it, where several do: `W`, `W.field` and `@directive`. */
export function repeatedDefinitions(document: DocumentNode): ReadonlyMap<string, ElementNode[]> {
  const defined = elementsOf(document).filter(({ node }) => 'name' in node && !isTypeExtensionNode(node));
  const byCoordinate = Map.groupBy(defined, ({ coordinate }) => coordinate);
  return new Map(
    [...byCoordinate].flatMap(([coordinate, elements]) =>
      elements.length > 1 ? [[coordinate, elements.map(({ node }) => node)]] : [],
    ),
  );
}
