import type { Resolvers, StubSubgraph } from '@meridian/testing/stub-subgraph';
import { startStubSubgraph as start, stubSchema } from '@meridian/testing/stub-subgraph';
import type { GraphQLSchema } from 'graphql';

export type { Resolvers, StubSubgraph } from '@meridian/testing/stub-subgraph';
export { respondJson } from '@meridian/testing/stub-subgraph';

/** The definition of a test's subgraph. */
export interface SubgraphDefinition {
  readonly sdl: string;
  readonly resolvers: Resolvers;
  /** Of federation 1, which has no links: all its directives are known by their names. */
  readonly isFederation1?: boolean;
}

const federationLink = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key", "@requires", "@external", "@provides", "@shareable", "@interfaceObject", "@inaccessible", "@override",
  "@context", "@fromContext"
])\n`;

/** The text of a subgraph's schema, with the directives of federation 2 imported. */
export function sdlOf({ sdl, isFederation1 = false }: SubgraphDefinition): string {
  return isFederation1 ? sdl : federationLink + sdl;
}

export async function startStubSubgraph(name: string, definition: SubgraphDefinition): Promise<StubSubgraph> {
  return await start(name, { sdl: sdlOf(definition), resolvers: definition.resolvers });
}

/** The schemas of subgraphs in this process, by name. */
export function schemasOf(
  definitions: Readonly<Record<string, SubgraphDefinition>>,
): ReadonlyMap<string, GraphQLSchema> {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      stubSchema({ sdl: sdlOf(definition), resolvers: definition.resolvers }),
    ]),
  );
}
