import { readFile } from 'node:fs/promises';

import type { DataDirectory, Service } from '@meridian/local-stack';
import { allocatePorts, sendSignal, readServices, serviceNamed, urlOf } from '@meridian/local-stack';
import type { GatewayFiles } from './events/gateway-files.ts';
import { reviewsDeadlineMs } from './events/gateway-files.ts';
import type { Targets } from './load/session.ts';

/** The services on free ports; the gateway with the files of the run, and with an inspector port for its heap. */
export async function placeSoakServices(
  files: GatewayFiles,
): Promise<{ readonly placed: readonly Service[]; readonly inspectorPort: number }> {
  const services = readServices();
  const inspector = { ...serviceNamed('gateway', services), name: 'inspector', host: '127.0.0.1' } as const;
  const all = await allocatePorts([...services, inspector], 'free');
  const { port: inspectorPort } = serviceNamed('inspector', all);
  const withEnvironment = (service: Service): Service => {
    switch (service.name) {
      case 'gateway': {
        const options = `${service.environment['NODE_OPTIONS'] ?? ''} --inspect=127.0.0.1:${inspectorPort}`;
        return { ...service, environment: { NODE_OPTIONS: options, ...files.environment } };
      }
      case 'reviews':
        return { ...service, environment: { REQUEST_DEADLINE_MS: String(reviewsDeadlineMs) } };
      default:
        return service;
    }
  };
  const placed = all.filter(({ name }) => name !== inspector.name).map(withEnvironment);
  return { placed, inspectorPort };
}

/** The URLs of the services for clients. */
export function targetsAmong(placed: readonly Service[]): Targets {
  const target = (name: string): URL => new URL(urlOf(serviceNamed(name, placed)));
  return {
    gateway: target('gateway'),
    accounts: target('accounts'),
    // Its REST API.
    orders: new URL('/', target('orders')),
  };
}

/** Sends signals to the processes of services, as the stack has recorded them. */
export function signalTo({
  processes,
}: DataDirectory): (service: string, signal: NodeJS.Signals) => Promise<void> {
  return async (service, signal) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this stack wrote it
    const record = JSON.parse(await readFile(processes, 'utf8')) as { name: string; pid: number }[];
    const pid = record.find(({ name }) => name === service)?.pid;
    if (pid === undefined) {
      throw new Error(`${service} does not run`);
    }
    sendSignal(pid, signal);
  };
}
