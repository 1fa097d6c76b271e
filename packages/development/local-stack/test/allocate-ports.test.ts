import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';

import { allocatePorts } from '../src/allocate-ports.ts';
import { readServices, serviceNamed } from '../src/apps/services.ts';

const services = readServices();

describe('allocatePorts', () => {
  it('gives every service two free ports of its own', async () => {
    const placed = await allocatePorts(services, 'free');
    const ports = placed.flatMap(({ port, adminPort }) => [port, adminPort]);
    expect(new Set(ports).size).toBe(2 * services.length);
    // Not of those that the system may give to a connection before the service listens.
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('names the port that is taken, its holder, and the remedy', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const accounts = { ...serviceNamed('accounts', services), port: port - 1 };
    await expect(allocatePorts([accounts], { offset: 1 })).rejects.toThrow(
      new RegExp(
        `^Port ${port}, which accounts needs, is taken(?: by process ${process.pid} .*)?\\. Stop .* or use other ports: pnpm start --port-offset 101, or --free-ports$`,
        'u',
      ),
    );
    server.close();
  });
});
