import { readJoins } from '@meridian/composition/sdl/joins';
import type { Joins } from '@meridian/composition/sdl/joins';
import type { Element, ElementNode } from '@meridian/composition/sdl/elements';
import { elementsOf, rootTypesOf, supergraphCoordinate } from '@meridian/composition/sdl/elements';
import type { DocumentNode } from 'graphql';
import { print } from 'graphql';

import type { Change } from '../change.ts';
import type { Graph, SubgraphSource } from '../graph.ts';

/** Where the cause of a change is. */
export interface Place {
  readonly subgraph: string;
  /** Absent where only the supergraph is known. */
  readonly file: string | undefined;
  /** From 1, in the changed schema; of what is gone, the nearest element that contained it. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Finds the places of a change: those in the subgraphs whose schemas changed it. */
export type LocateChange = (change: Change) => readonly Place[];

export function createLocator(before: Graph, after: Graph): LocateChange {
  if (before.sources.length === 0 || after.sources.length === 0) {
    const [one, other] = [readJoins(before.supergraph.document), readJoins(after.supergraph.document)];
    return (change) => subgraphsOf(change, one, other).map(withoutFile);
  }
  const versions = versionsOf(before.sources, after.sources);
  return (change) => {
    const chain = coordinateChain(change.coordinate);
    const [own] = chain;
    const candidates =
      change.subgraph === undefined
        ? causesOf(chain, versions)
        : versions.filter(({ name }) => name === change.subgraph);
    return own === undefined ? [] : candidates.map((version) => placeIn(version, chain));
  };
}

/** One subgraph in both graphs. */
interface Version {
  readonly name: string;
  readonly file: string | undefined;
  readonly isChanged: boolean;
  readonly before: SubgraphIndex;
  readonly after: SubgraphIndex;
}

function versionsOf(before: readonly SubgraphSource[], after: readonly SubgraphSource[]): readonly Version[] {
  const names = new Set([...before, ...after].map(({ name }) => name));
  return Array.from(names, (name) => {
    const [one, other] = [before, after].map((sources) => sources.find((source) => source.name === name));
    const isChanged = one?.sdl !== other?.sdl;
    return {
      name,
      file: other?.file ?? one?.file,
      isChanged,
      before: indexSubgraph(one?.document),
      after: isChanged ? indexSubgraph(other?.document) : indexSubgraph(one?.document),
    };
  });
}

/** The subgraphs whose definition of the element changed, or else of what contains it; or else all that have it. */
function causesOf(chain: readonly string[], versions: readonly Version[]): readonly Version[] {
  for (const coordinate of chain) {
    const changed = versions.filter(
      ({ isChanged, before, after }) => isChanged && before(coordinate)?.text() !== after(coordinate)?.text(),
    );
    if (changed.length > 0) {
      return changed;
    }
  }
  const [own = ''] = chain;
  return versions.filter(({ before, after }) => (after(own) ?? before(own)) !== undefined);
}

function placeIn({ name, file, after }: Version, chain: readonly string[]): Place {
  const nearest = chain.map(after).find((element) => element !== undefined);
  const start = file === undefined ? undefined : 1;
  return { subgraph: name, file, line: nearest?.line ?? start, column: nearest?.column ?? start };
}

/** The element, what contains it, and so on: `Query.orders(first:)`, `Query.orders`, `Query`. */
function coordinateChain(coordinate: string): readonly string[] {
  if (coordinate.includes(' ')) {
    return coordinate.startsWith('subgraph ') ? [coordinate] : [];
  }
  const chain = [coordinate];
  const bracket = coordinate.indexOf('(');
  if (bracket !== -1) {
    chain.push(coordinate.slice(0, bracket));
  }
  const dot = coordinate.indexOf('.');
  if (dot !== -1) {
    chain.push(coordinate.slice(0, dot));
  }
  return chain;
}

function subgraphsOf({ coordinate, subgraph }: Change, before: Joins, after: Joins): readonly string[] {
  if (subgraph !== undefined) {
    return [subgraph];
  }
  for (const name of coordinateChain(coordinate)) {
    const joined = [before, after].flatMap(({ fields, types }) =>
      (fields.get(name) ?? types.get(name) ?? []).map((join: { subgraph: string }) => join.subgraph),
    );
    if (joined.length > 0) {
      return [...new Set(joined)];
    }
  }
  return [];
}

function withoutFile(subgraph: string): Place {
  return { subgraph, file: undefined, line: undefined, column: undefined };
}

/** An element of a subgraph's schema, with its place. */
interface IndexedElement {
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Its definition, and its extensions, without the elements in it that have coordinates themselves. */
  readonly text: () => string;
}

/** Finds an element of a subgraph's schema. */
type SubgraphIndex = (coordinate: string) => IndexedElement | undefined;

function indexSubgraph(document: DocumentNode | undefined): SubgraphIndex {
  let index: SubgraphIndex | undefined;
  return (coordinate) => {
    index ??= document === undefined ? () => undefined : indexOf([...elementsOf(document)]);
    return index(coordinate);
  };
}

function indexOf(elements: readonly Element[]): SubgraphIndex {
  const rootTypes = rootTypesOf(elements);
  const nameOf = (coordinate: string): string => supergraphCoordinate(coordinate, rootTypes);
  const groups = Map.groupBy(elements, ({ coordinate }) => nameOf(coordinate));
  const byName = new Map(Array.from(groups, ([name, ofName]) => [name, indexed(ofName)]));
  return (coordinate) => byName.get(nameOf(coordinate));
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
