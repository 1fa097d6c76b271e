import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

import { findPortHolder, listenIfFree, listenOnFreePort } from '@meridian/processes';

import type { Service } from './apps/services.ts';
import { StackError } from './stack-error.ts';

/** The choice of ports: the services' own plus an offset, or any free ones. */
export type PortChoice = 'free' | { readonly offset: number };

/**
 * Allocates the ports of services, and makes sure that they are free.
 *
 * @throws {StackError} with the port that is not free, its holder, and what to do
 */
export async function allocatePorts(services: readonly Service[], choice: PortChoice): Promise<Service[]> {
  // Two for each service. All are held until the last is known, so that no port is allocated twice.
  const held: Server[] = [];
  const hold = async (service: Service, host: string, port: number): Promise<number> => {
    const server = createServer();
    held.push(server);
    if (choice === 'free') {
      return await listenOnFreePort(server, host);
    }
    const wanted = port + choice.offset;
    if (!(await listenIfFree(server, host, wanted))) {
      throw new StackError(portInUse(service, wanted, choice.offset + 100));
    }
    return wanted;
  };
  try {
    const placed: Service[] = [];
    for (const service of services) {
      const port = await hold(service, service.host, service.port);
      const adminPort = await hold(service, '127.0.0.1', service.adminPort);
      placed.push({ ...service, port, adminPort });
    }
    return placed;
  } finally {
    await Promise.all(held.map(close));
  }
}

function portInUse({ name }: Service, port: number, otherOffset: number): string {
  const holder = findPortHolder(port);
  const [by, stop] =
    holder === undefined
      ? ['', 'Stop the program that listens there']
      : [` by process ${holder.pid} (${shortened(holder.commandLine)})`, `Stop it (kill ${holder.pid})`];
  return `Port ${port}, which ${name} needs, is taken${by}. ${stop}, or use other ports: pnpm start --port-offset ${otherOffset}, or --free-ports`;
}

/** On one line, because another program's arguments may hold anything. */
function shortened(commandLine: string): string {
  const line = commandLine.replaceAll(/\p{Cc}+/gu, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

async function close(server: Server): Promise<void> {
  if (server.listening) {
    server.close();
    await once(server, 'close');
  }
}
