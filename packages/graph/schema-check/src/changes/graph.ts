import type { Supergraph } from '@meridian/executor';
import { loadSupergraph } from '@meridian/executor';
import type { DocumentNode } from 'graphql';
import { Source, parse } from 'graphql';

/** One side of a comparison: a supergraph, and the subgraphs' own schemas where they are at hand. */
export interface Graph {
  readonly supergraph: Supergraph;
  /** Empty where only the supergraph is known: changes are found all the same, without files and lines. */
  readonly sources: readonly SubgraphSource[];
}

/** A subgraph's own schema. */
export interface SubgraphSource {
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string | undefined;
  readonly sdl: string;
  readonly document: DocumentNode;
}

/** A subgraph's schema as text. */
export interface SubgraphText {
  readonly name: string;
  readonly file?: string;
  readonly sdl: string;
}

/**
 * Reads one side of a comparison.
 *
 * @throws {SupergraphError} for a text that is not a supergraph
 * @throws {GraphQLError} for a subgraph that does not parse
 */
export function readGraph(supergraphSdl: string, subgraphs: readonly SubgraphText[] = []): Graph {
  return { supergraph: loadSupergraph(supergraphSdl), sources: readSources(subgraphs) };
}

/** @throws {GraphQLError} for a subgraph that does not parse */
export function readSources(subgraphs: readonly SubgraphText[]): readonly SubgraphSource[] {
  return subgraphs.map(({ name, file, sdl }) => ({
    name,
    file,
    sdl,
    document: parse(new Source(sdl, file ?? name)),
  }));
}
