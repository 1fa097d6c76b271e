import { textArgument } from '@meridian/composition/sdl/directive-values';
import { linksIn } from '@meridian/composition/sdl/elements';
import type { DocumentNode } from 'graphql';

import type { Change } from '../change.ts';
import { changesOfValue } from '../change.ts';
import { pairByKey } from '../pair-by-key.ts';

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
