import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import type { createDevelopmentIdentity } from '@meridian/auth/development';

import { addressOf, serviceScript, startAccountsProgram } from '../accounts/start-servers.ts';
import { etagOf } from '../accounts/read-contenders.ts';
import { contendersIn } from '../gateway/contenders.ts';
import { asText, requestsOf } from '../gateway/request-form.ts';
import { untilListening } from '../gateway/until-listening.ts';
import type { SubgraphName } from '../gateway/workload.ts';
import { composeWorkload, workloads } from '../gateway/workload.ts';
import type { Request } from '../harness/clients.ts';
import { cpuSeconds, mainThreadCpuSeconds } from '../harness/process-cost.ts';
import { lineWith, startProgram } from '../harness/started-program.ts';
import { accountsPerTenant, openStore, tenants } from './open-store.ts';
import type { Store } from './open-store.ts';

/** Processes under load, and the way of a request through them. */
export interface System {
  readonly name: string;
  readonly requestOf: () => Request;
  readonly stations: readonly MeasuredStation[];
  /** The names of the stations that a request visits, in order. */
  readonly route: readonly string[];
}

/** A process, or several that do the same. */
export interface MeasuredStation {
  readonly name: string;
  /** The most requests that it works on at the same time: one for a Node process. */
  readonly threads: number;
  /** The CPU seconds that it has used so far. */
  cpuSeconds(): number;
  /** The part of them in which it did not work on a request itself: of Node, all threads but the main one. */
  helperCpuSeconds(): number;
}

/** Systems that share processes. */
export interface RunningSystems {
  readonly systems: readonly System[];
  stop(): Promise<void>;
}

/** This process sends the requests, on the same machine. */
const client = nodeProcess('client', process.pid);

function nodeProcess(name: string, pid: number): MeasuredStation {
  return {
    name,
    threads: 1,
    cpuSeconds: () => cpuSeconds(pid),
    helperCpuSeconds: () => cpuSeconds(pid) - mainThreadCpuSeconds(pid),
  };
}

/** A gateway with its defaults except that it shares no work, over stub subgraphs: three fetches, one after another. */
export async function startGateway(directory: string): Promise<RunningSystems> {
  const stubs = startProgram({ script: join(import.meta.dirname, '../gateway/stub-subgraphs.ts'), env: {} });
  const urls: Record<SubgraphName, string> = JSON.parse(await lineWith('{', stubs));
  const supergraphPath = join(directory, 'supergraph.graphql');
  await writeFile(supergraphPath, composeWorkload(urls));
  const contender = contendersIn(directory, undefined).find(
    ({ name }) => name === 'our gateway, nothing shared',
  );
  const workload = workloads.find(({ name }) => name === 'small, varied');
  if (contender === undefined || workload === undefined) {
    throw new Error('The gateway benchmark has no such contender or workload');
  }
  const port = randomInt(20_000, 32_000);
  const program = await contender.prepare({ port, supergraphPath });
  const env = {
    SUPERGRAPH_PATH: supergraphPath,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    ADMIN_PORT: `${port + 1}`,
  };
  const gateway = startProgram({ ...program, env: { ...env, ...program.env } }, { stderr: 'pipe' });
  const url = `http://127.0.0.1:${port}${contender.path}`;
  await untilListening(gateway.child, url);
  const { headers, bodies } = requestsOf(url, asText, workload);
  let sent = 0;
  return {
    systems: [
      {
        name: 'gateway, three fetches',
        requestOf() {
          sent += 1;
          return { method: 'POST', url, headers, body: bodies[sent % bodies.length] ?? '' };
        },
        stations: [client, nodeProcess('gateway', gateway.pid), nodeProcess('subgraphs', stubs.pid)],
        route: [
          'client',
          'gateway',
          ...Array.from({ length: 3 }, () => ['subgraphs', 'gateway']).flat(),
          'client',
        ],
      },
    ],
    async stop() {
      await Promise.all([gateway.stop(), stubs.stop()]);
    },
  };
}

interface AccountsOptions {
  readonly name: string;
  readonly directory: string;
  readonly identity: Awaited<ReturnType<typeof createDevelopmentIdentity>>;
  readonly programs: Parameters<typeof openStore>[0]['programs'];
  /** Of a Citus cluster; 0 for one PostgreSQL. */
  readonly workers: number;
}

/** The connections of the accounts service to its database. */
const poolSize = 10;

/** An accounts service over a store: reads, and writes. */
export async function startAccounts(options: AccountsOptions): Promise<RunningSystems> {
  const directory = join(options.directory, `store-${options.workers}`);
  await mkdir(directory);
  const store = await openStore({ ...options, directory });
  const service = startAccountsProgram(serviceScript, store.url, options.identity);
  const url = await addressOf(service);
  const tokens = await Promise.all(tenants.map((tenant) => options.identity.signToken({ tenant })));
  const stations = [
    client,
    nodeProcess('accounts', service.pid),
    ...store.servers.map((server) => ({ ...server, threads: poolSize, helperCpuSeconds: () => 0 })),
  ];
  const servers = store.servers.map(({ name }) => name);
  const call = [...servers, ...servers.slice(0, -1).toReversed()];
  return {
    systems: [
      {
        name: `GET, ${options.name}`,
        requestOf: reads(url, tokens),
        stations,
        route: ['client', 'accounts', ...call, 'accounts', 'client'],
      },
      {
        name: `PUT, ${options.name}`,
        requestOf: writes(url, tokens, store),
        stations,
        route: ['client', 'accounts', ...call, 'accounts', ...call, 'accounts', 'client'],
      },
    ],
    async stop() {
      await service.stop();
      await store.stop();
    },
  };
}

/** Spread over all tenants and accounts. */
function accountAt(n: number): { readonly tenant: number; readonly identifier: string } {
  const identifier = `account-${(Math.floor(n / tenants.length) * 7919) % accountsPerTenant}`;
  return { tenant: n % tenants.length, identifier };
}

function reads(url: string, tokens: readonly string[]): () => Request {
  let sent = 0;
  return () => {
    const { tenant, identifier } = accountAt(sent);
    sent += 1;
    return {
      method: 'GET',
      url: `${url}/accounts/${identifier}`,
      headers: { authorization: `Bearer ${tokens[tenant]}` },
    };
  };
}

/** Each account in turn, so that its revision is known. */
function writes(url: string, tokens: readonly string[], { storeEpoch }: Store): () => Request {
  const all = tenants.length * accountsPerTenant;
  let sent = 0;
  return () => {
    const { tenant, identifier } = accountAt(sent);
    const tenantId = tenants[tenant] ?? '';
    const revision = BigInt(1 + Math.floor(sent / all));
    sent += 1;
    return {
      method: 'PUT',
      url: `${url}/accounts/${identifier}`,
      headers: {
        authorization: `Bearer ${tokens[tenant]}`,
        'content-type': 'application/json',
        'if-match': etagOf({ tenantId, storeEpoch }, identifier, revision),
      },
      body: `{"balance_minor_units":${sent}}`,
    };
  };
}
