import type { Element, ElementNode } from '@meridian/composition/sdl/elements';
import { elementsOf } from '@meridian/composition/sdl/elements';
import type { DocumentNode } from 'graphql';
import { print } from 'graphql';

/** An element of a subgraph's schema, with its place. */
export interface IndexedElement {
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Its definition, and its extensions, without the elements in it that have coordinates themselves. */
  readonly text: () => string;
}

/** Finds an element of a subgraph's schema. */
export type SubgraphIndex = (coordinate: string) => IndexedElement | undefined;

export function indexSubgraph(document: DocumentNode | undefined): SubgraphIndex {
  let elements: ReadonlyMap<string, IndexedElement> | undefined;
  return (coordinate) => {
    elements ??= document === undefined ? new Map() : elementsIn(document);
    return elements.get(coordinate);
  };
}

function elementsIn(document: DocumentNode): ReadonlyMap<string, IndexedElement> {
  const byCoordinate = Map.groupBy(elementsOf(document), ({ coordinate }) => coordinate);
  return new Map(Array.from(byCoordinate, ([coordinate, elements]) => [coordinate, indexed(elements)]));
}

function indexed(elements: readonly Element[]): IndexedElement {
  const [first] = elements;
  const start =
    first && 'name' in first.node ? first.node.name?.loc?.startToken : first?.node.loc?.startToken;
  return {
    line: start?.line,
    column: start?.column,
    text: () => elements.map(({ node }) => print(withoutMembers(node))).join('\n'),
  };
}

function withoutMembers(node: ElementNode): ElementNode {
  if ('fields' in node) {
    return { ...node, fields: [] };
  }
  return 'values' in node && Array.isArray(node.values) ? { ...node, values: [] } : node;
}
