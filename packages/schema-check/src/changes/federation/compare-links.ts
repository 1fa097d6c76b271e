import type { DocumentNode } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import { pairByKey } from '../pair-by-key.ts';
import { textArgument } from './directive-values.ts';
import { elementsOf } from './elements.ts';

/** A specification that a schema links. */
interface Link {
  /** Without the version. */
  readonly identity: string;
  readonly version: string;
}

/** Compares the specifications that two documents link. */
export function compareLinks(
  before: DocumentNode,
  after: DocumentNode,
  subgraph: string | undefined,
): Change[] {
  const { added, removed, kept } = pairByKey(linksIn(before), linksIn(after), ({ identity }) => identity);
  const details = (texts: { before?: string; after?: string }) =>
    subgraph === undefined ? texts : { ...texts, subgraph };
  return [
    ...removed.map((link) => changeOf('LINK_CHANGED', 'schema', details({ before: textOf(link) }))),
    ...added.map((link) => changeOf('LINK_CHANGED', 'schema', details({ after: textOf(link) }))),
    ...kept
      .filter(([one, other]) => one.version !== other.version)
      .map(([one, other]) =>
        changeOf('LINK_CHANGED', 'schema', details({ before: textOf(one), after: textOf(other) })),
      ),
  ];
}

function linksIn(document: DocumentNode): readonly Link[] {
  return Array.from(elementsOf(document)).flatMap(({ coordinate, directives }) =>
    coordinate === 'schema'
      ? directives
          .filter(({ name }) => name.value === 'link')
          .map((directive) => linkOf(textArgument(directive, 'url') ?? ''))
      : [],
  );
}

function linkOf(url: string): Link {
  const version = url.slice(url.lastIndexOf('/') + 1);
  return { identity: url.slice(0, -version.length - 1), version };
}

function textOf({ identity, version }: Link): string {
  return `${identity}/${version}`;
}
