import type { DataDirectory } from '../data-directory.ts';
import type { Service } from '../services.ts';
import { composeGraph, publishGraph } from './compose-graph.ts';
import { followChanges } from './follow-changes.ts';
import type { FollowOptions } from './follow-changes.ts';

/** The additional work of `pnpm dev` beside a stack. */
export interface Development {
  /** The services to run: the gateway serves what is composed here. */
  readonly services: readonly Service[];
  /** Resolves once the files are watched. */
  follow(running: Pick<FollowOptions, 'stack' | 'screen' | 'signal'>): Promise<void>;
}

/**
 * Composes the graph.
 *
 * @throws {StackError} with every fault and its place, if the graph does not compose
 */
export async function openDevelopment(
  watched: readonly string[],
  placed: readonly Service[],
  { supergraph: supergraphPath }: DataDirectory,
): Promise<Development> {
  const subgraphs = placed.filter(({ name }) => placed.some(({ calls }) => calls.includes(name)));
  await publishGraph(await composeGraph(subgraphs), supergraphPath);
  return {
    services: placed.map((service) =>
      service.environment['SUPERGRAPH_PATH'] === undefined
        ? service
        : { ...service, environment: { ...service.environment, SUPERGRAPH_PATH: supergraphPath } },
    ),
    follow: (running) => followChanges({ watched, subgraphs, supergraphPath, ...running }),
  };
}
