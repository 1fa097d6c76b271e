import type { DocumentNode } from 'graphql';

import type { Change } from '../change.ts';
import { changesOfValue } from '../change.ts';
import { pairByKey } from '../pair-by-key.ts';
import { textArgument } from './directive-values.ts';
import { elementsOf } from './elements.ts';

/** Compares the specifications that two documents link. */
export function compareLinks(
  before: DocumentNode,
  after: DocumentNode,
  subgraph: string | undefined,
): Change[] {
  const { added, removed, kept } = pairByKey(linksIn(before), linksIn(after), identityOf);
  const changes = (one: string | undefined, other: string | undefined): Change[] =>
    changesOfValue('LINK_CHANGED', 'schema', one, other, { subgraph });
  return [
    ...removed.flatMap((url) => changes(url, undefined)),
    ...added.flatMap((url) => changes(undefined, url)),
    ...kept.flatMap(([one, other]) => changes(one, other)),
  ];
}

/** The URLs of the specifications that a schema links. */
function linksIn(document: DocumentNode): readonly string[] {
  return Array.from(elementsOf(document)).flatMap(({ coordinate, directives }) =>
    coordinate === 'schema'
      ? directives
          .filter(({ name }) => name.value === 'link')
          .map((directive) => textArgument(directive, 'url') ?? '')
      : [],
  );
}

/** A specification's URL without the version. */
function identityOf(url: string): string {
  return url.slice(0, url.lastIndexOf('/'));
}
