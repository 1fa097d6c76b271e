import { startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';
import { createMemoryProbe, nodeServer, unreadBytes, unreadKind } from '@meridian/testing/held-memory';
import type { ConnectionKind, MemoryProbe } from '@meridian/testing/held-memory';

import { createRsaIssuer } from './attacked-gateway.ts';
import type { Message } from './attacked-process.ts';
import { attackOpen, attackShipped } from './attacked-process.ts';
import { honestResponse } from './subgraph-attacks.ts';

/** A process of its own, whose memory can be read. */
export interface AttackedService {
  readonly name: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly probe: MemoryProbe;
  /** Connections that only this service has. */
  readonly ownKinds: readonly ConnectionKind[];
  close(): Promise<unknown>;
}

/** Plain Node, the yardstick. */
export async function startNode(isSecure: boolean): Promise<AttackedService> {
  const probe = createMemoryProbe();
  const service = await startServiceProcess(nodeServer, {
    ...probe.variables,
    WITH_TLS: String(isSecure),
  });
  return { ...serviceOf('plain Node', service, probe), isSecure };
}

/** The services that clients or the gateway connect to; each way of serving is there once. */
export const attackedServices: readonly (() => Promise<AttackedService>)[] = [
  ...[false, true].map((isSecure) => async () => {
    const probe = createMemoryProbe();
    const target = await attackShipped(probe.variables, isSecure);
    return {
      name: `the gateway, as shipped${isSecure ? ', over TLS' : ''}`,
      port: portOf(target.url),
      isSecure,
      probe,
      ownKinds: [],
      close: async () => await target.close(),
    };
  }),
  async () => {
    const probe = createMemoryProbe();
    const target = await attackOpen(probe.variables);
    const honest = target.lie({ of: 'root', body: honestResponse(unreadBytes) });
    return {
      name: 'the gateway, with an empty router.yaml',
      port: portOf(target.url),
      isSecure: false,
      probe,
      ownKinds: [unreadKind('a response of 8 MB that is not read', wireOf(target.listing()))],
      async close() {
        honest();
        await target.close();
      },
    };
  },
  async () => await startWithoutStore('accounts'),
  async () => await startWithoutStore('products'),
];

/** Starts a service whose database does not respond, which no attack gets to. */
async function startWithoutStore(app: string): Promise<AttackedService> {
  const probe = createMemoryProbe();
  const issuer = await createRsaIssuer();
  const service = await startServiceProcess(new URL(`../../../${app}/src/main.ts`, import.meta.url), {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
    JWKS_URL: issuer.jwksUrl,
    JWT_ISSUER: issuer.issuer,
    ...probe.variables,
  });
  return {
    ...serviceOf(app, service, probe),
    close: async () => await Promise.all([service.stop(), issuer.close()]),
  };
}

function serviceOf(name: string, service: ServiceProcess, probe: MemoryProbe): AttackedService {
  return {
    name,
    port: portOf(service.url),
    isSecure: false,
    probe,
    ownKinds: [],
    close: async () => await service.stop(),
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** A message as bytes. */
function wireOf({ method, path, headers, body }: Message): string {
  const fields = { Host: 'x', ...headers, 'Content-Length': String(body?.length ?? 0) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${Buffer.from(body ?? []).toString('latin1')}`;
}
