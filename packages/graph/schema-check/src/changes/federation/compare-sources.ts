import { textArgument } from '@meridian/composition/sdl/directive-values';
import { elementsOf, linksIn } from '@meridian/composition/sdl/elements';
import type { DocumentNode } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf, changesOfTexts, changesOfValue } from '../change.ts';
import type { SubgraphSource } from '../graph.ts';
import { pairByKey, pairByName, pairTexts } from '../pair-by-key.ts';

/** Compares the parts of the subgraphs' own schemas that the supergraph lacks. */
export function compareSources(
  before: readonly SubgraphSource[],
  after: readonly SubgraphSource[],
): Change[] {
  const { kept } = pairByName(before, after);
  return kept.flatMap(([one, other]) =>
    one.sdl === other.sdl
      ? []
      : [
          compareLinks(one.document, other.document, one.name),
          compareShareable(one, other),
          compareComposed(one, other),
        ].flat(),
  );
}

function compareShareable(before: SubgraphSource, after: SubgraphSource): Change[] {
  const { name: subgraph } = before;
  const [one, other] = [coordinatesIn(before.document), coordinatesIn(after.document)];
  const { added, removed } = pairTexts(shareableIn(before.document), shareableIn(after.document));
  return [
    ...removed
      .filter((coordinate) => other.has(coordinate))
      .map((coordinate) => changeOf('SHAREABLE_REMOVED', coordinate, { subgraph })),
    ...added
      .filter((coordinate) => one.has(coordinate))
      .map((coordinate) => changeOf('SHAREABLE_ADDED', coordinate, { subgraph })),
  ];
}

function coordinatesIn(document: DocumentNode): ReadonlySet<string> {
  return new Set(Array.from(elementsOf(document), ({ coordinate }) => coordinate));
}

function shareableIn(document: DocumentNode): readonly string[] {
  return Array.from(elementsOf(document)).flatMap(({ coordinate, directives }) =>
    directives.some(({ name }) => isFederation(name.value, 'shareable')) ? [coordinate] : [],
  );
}

/** A directive of the federation specification may be imported, or have its prefix. */
function isFederation(name: string, directive: string): boolean {
  return name === directive || name === `federation__${directive}`;
}

function compareComposed(before: SubgraphSource, after: SubgraphSource): Change[] {
  const kinds = ['COMPOSE_DIRECTIVE_CHANGED', 'COMPOSE_DIRECTIVE_CHANGED'] as const;
  const { name: subgraph } = before;
  return changesOfTexts(kinds, 'schema', composedIn(before.document), composedIn(after.document), {
    subgraph,
  });
}

function composedIn(document: DocumentNode): readonly string[] {
  return Array.from(elementsOf(document)).flatMap(({ directives }) =>
    directives
      .filter(({ name }) => isFederation(name.value, 'composeDirective'))
      .flatMap((directive) => textArgument(directive, 'name') ?? []),
  );
}

/** Compares the specifications that two documents link. */
export function compareLinks(
  before: DocumentNode,
  after: DocumentNode,
  subgraph: string | undefined,
): Change[] {
  const { added, removed, kept } = pairByKey(urlsIn(before), urlsIn(after), identityOf);
  const changes = (one: string | undefined, other: string | undefined): Change[] =>
    changesOfValue('LINK_CHANGED', 'schema', one, other, { subgraph });
  return [
    ...removed.flatMap((url) => changes(url, undefined)),
    ...added.flatMap((url) => changes(undefined, url)),
    ...kept.flatMap(([one, other]) => changes(one, other)),
  ];
}

function urlsIn(document: DocumentNode): readonly string[] {
  return linksIn(document).map((link) => textArgument(link, 'url') ?? '');
}

/** A specification's URL without the version. */
function identityOf(url: string): string {
  return url.slice(0, url.lastIndexOf('/'));
}
