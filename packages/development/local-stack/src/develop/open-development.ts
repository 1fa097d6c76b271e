import type { DataDirectory } from '../data-directory.ts';
import { readExternalSubgraphs, urlOf } from '../apps/services.ts';
import type { Service } from '../apps/services.ts';
import { allocatePorts } from '../allocate-ports.ts';
import type { ProcessRecord } from '../run/process-record.ts';
import type { Program } from '../run/program.ts';
import { startService } from '../run/start-service.ts';
import type { Running } from '../run/supervise.ts';
import { startOnOwnPorts } from '../stack.ts';
import type { StartProcess } from '../stack.ts';
import { composeGraph, publishGraph } from './compose-graph.ts';
import { followChanges } from './follow-changes.ts';
import type { FollowOptions } from './follow-changes.ts';
import { openRelay } from './relay.ts';
import type { Relay } from './relay.ts';

/** The additional work of `pnpm dev` beside a stack. */
export interface Development {
  /** The services to run: the gateway serves what is composed here. */
  readonly services: readonly Service[];
  /** A watched service is behind a relay, so that another process can take its place at any time. */
  readonly startProcess: StartProcess | undefined;
  /** Resolves once the files are watched. */
  follow(running: Pick<FollowOptions, 'stack' | 'screen' | 'signal'>): Promise<void>;
  /** Called when the stack has ended. */
  close(): Promise<void>;
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
  const subgraphs = [
    ...placed
      .filter(({ kind }) => kind === 'subgraph')
      .map((service) => ({ name: service.name, routingUrl: urlOf(service) })),
    ...readExternalSubgraphs().map(({ name, url }) => ({ name, routingUrl: url })),
  ];
  await publishGraph(await composeGraph(subgraphs), supergraphPath);
  const followed = placed.filter(({ name }) => watched.includes(name));
  const relay = await openRelay(followed.flatMap(({ port, adminPort }) => [port, adminPort]));
  return {
    startProcess: (service, program, record) =>
      watched.includes(service.name)
        ? startBehindRelay(service, program, { relay, record })
        : startOnOwnPorts(service, program, record),
    close: () => relay.close(),
    services: placed.map((service) =>
      service.environment['SUPERGRAPH_PATH'] === undefined
        ? service
        : { ...service, environment: { ...service.environment, SUPERGRAPH_PATH: supergraphPath } },
    ),
    follow: (running) => followChanges({ watched, subgraphs, supergraphPath, ...running }),
  };
}

/**
 * Starts a service from its current files, on free ports. Once it is directed to, the relay sends to it what comes to the
 * service's own ports.
 */
async function startBehindRelay(
  service: Service,
  program: Program,
  { relay, record }: { readonly relay: Relay; readonly record: ProcessRecord },
): Promise<Running> {
  const [placed = service] = await allocatePorts([service], 'free');
  const environment = {
    ...program.environment,
    PORT: String(placed.port),
    ADMIN_PORT: String(placed.adminPort),
  };
  const running = await startService({ ...program, environment }, placed.adminPort, record);
  return {
    ...running,
    direct() {
      relay.direct(service.port, placed.port);
      relay.direct(service.adminPort, placed.adminPort);
    },
  };
}
