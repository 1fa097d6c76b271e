// Two gateways of two workers each, and two replicas of a subgraph that calls back, all behind HAProxy.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { StopController } from '../../../packages/core/cancellation/src/index.ts';
import { findFreePort } from '../../../packages/core/processes/src/index.ts';
import { composeSupergraph } from '../../../packages/graph/composition/src/index.ts';
import {
  createTestIdentity,
  eventually,
  startServiceProcess,
} from '../../../packages/development/testing/src/index.ts';
import type { ServiceProcess, TestIdentity } from '../../../packages/development/testing/src/index.ts';
import { Clock, createTicks } from '../../../packages/services/subgraph/test/fixtures/ticks.ts';
import { hostSubgraph } from '../../../packages/services/subgraph/test/support/index.ts';
import type { HostedSubgraph } from '../../../packages/services/subgraph/test/support/index.ts';

/** With a connection for each request, so that replicas and workers take turns. */
const haproxyConfig = `
defaults
  mode http
  option httpclose
  balance roundrobin
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  retries 5
  retry-on conn-failure
  option redispatch 1
frontend graph
  bind "\${GRAPH}"
  default_backend graph
backend graph
  server 1 "\${GRAPH_1}"
  server 2 "\${GRAPH_2}"
frontend callbacks
  bind "\${CALLBACKS}"
  default_backend callbacks
backend callbacks
  server 1 "\${CALLBACKS_1}"
  server 2 "\${CALLBACKS_2}"
frontend ticks
  bind "\${TICKS}"
  default_backend ticks
backend ticks
  server 1 "\${TICKS_1}"
  server 2 "\${TICKS_2}"
`;

const clock = new Clock();
let identity: TestIdentity;
let folder: string;
let haproxy: ChildProcess;
let subgraphs: HostedSubgraph[];
let stopFirstSubgraph: () => Promise<void>;
let gateways: readonly ServiceProcess[] = [];
let graphUrl: string;
/** Of the gateways: of both workers together. */
let adminPorts: readonly number[] = [];

const loopback = (port: number): string => `127.0.0.1:${port}`;

beforeAll(async () => {
  identity = await createTestIdentity();
  folder = await mkdtemp(join(tmpdir(), 'meridian-replicated-callbacks-'));
  const [graph, callbacks, ticks] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const graphs = [await findFreePort(), await findFreePort()];
  adminPorts = [await findFreePort(), await findFreePort()];
  const callbackPorts = [await findFreePort(), await findFreePort()];
  graphUrl = `http://${loopback(graph)}/graphql`;

  const stopping = [new StopController(), new StopController()];
  subgraphs = await Promise.all(
    stopping.map((signal) =>
      hostSubgraph(createTicks(clock), {
        identity,
        stopping: signal,
        subscriptionCallbackUrl: `http://${loopback(callbacks)}/callback`,
      }),
    ),
  );
  const [first] = subgraphs;
  stopFirstSubgraph = async () => {
    stopping[0]?.abort(new Error('stopping'));
    await first?.stop();
  };

  const addresses = {
    GRAPH: graph,
    GRAPH_1: graphs[0],
    GRAPH_2: graphs[1],
    CALLBACKS: callbacks,
    CALLBACKS_1: callbackPorts[0],
    CALLBACKS_2: callbackPorts[1],
    TICKS: ticks,
    TICKS_1: Number(new URL(subgraphs[0]?.url ?? '').port),
    TICKS_2: Number(new URL(subgraphs[1]?.url ?? '').port),
  };
  const configPath = join(folder, 'haproxy.cfg');
  await writeFile(configPath, haproxyConfig);
  haproxy = spawn('haproxy', ['-q', '-db', '-f', configPath], {
    // Debian's is where an ordinary user's PATH does not look.
    env: {
      PATH: `${process.env['PATH']}:/usr/sbin`,
      ...Object.fromEntries(Object.entries(addresses).map(([name, port]) => [name, loopback(port ?? 0)])),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  const sdl = await readFile(
    new URL('../../../packages/services/subgraph/test/fixtures/ticks.graphql', import.meta.url),
    'utf8',
  );
  const { supergraphSdl = '' } = composeSupergraph([
    { name: 'ticks', sdl, routingUrl: `http://${loopback(ticks)}/graphql` },
  ]);
  const supergraphPath = join(folder, 'supergraph.graphql');
  await writeFile(supergraphPath, supergraphSdl);
  gateways = await Promise.all(
    [0, 1].map(async (index) => {
      const routerPath = join(folder, `router-${index}.yaml`);
      const listen = loopback(callbackPorts[index] ?? 0);
      await writeFile(
        routerPath,
        `
supergraph: { path: /graphql }
headers: { all: { request: { operations: [{ propagate: { named: authorization } }] } } }
subscription:
  mode:
    callback: { public_url: "http://${loopback(callbacks)}/callback", listen: "${listen}", heartbeat_interval: 1s }
meridian:
  operations: { require_name: false }
  subscription: { callback: { replica_url: "http://${listen}/callback" } }
`,
      );
      return await startServiceProcess(new URL('../../../apps/gateway/src/main.ts', import.meta.url), {
        SUPERGRAPH_PATH: supergraphPath,
        ROUTER_CONFIG_PATH: routerPath,
        PORT: String(graphs[index]),
        ADMIN_PORT: String(adminPorts[index]),
        WEB_CONCURRENCY: '2',
        CALLBACK_SECRET: 'a key of the tests that is as long as it has to be',
      });
    }),
  );
  for (const port of adminPorts) {
    await eventually(async () => {
      if (!/^meridian_workers_listening\b.* 2$/mu.test(await metricsAt(port))) {
        throw new Error('a worker does not listen yet');
      }
    });
  }
});

afterAll(async () => {
  const ended = once(haproxy, 'exit');
  haproxy.kill('SIGKILL');
  await ended;
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await subgraphs[1]?.stop();
  await identity.close();
  await rm(folder, { recursive: true });
});

/** A client that stays: it comes back after the last cursor that it had. */
class Client {
  readonly ids: string[] = [];
  readonly #controller = new AbortController();
  readonly #authorization: string;
  #cursor: string | undefined;
  isOpen = false;

  constructor(authorization: string) {
    this.#authorization = authorization;
  }

  /** Reads until it leaves. */
  async run(): Promise<void> {
    while (!this.#controller.signal.aborted) {
      // HAProxy has not noticed yet, or the process is gone in the middle of an event.
      await this.#read().catch(() => {});
      this.isOpen = false;
    }
  }

  leave(): void {
    this.#controller.abort();
  }

  async #read(): Promise<void> {
    const response = await fetch(graphUrl, {
      method: 'POST',
      headers: {
        authorization: this.#authorization,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        query: 'subscription { ticked { id } }',
        ...(this.#cursor !== undefined && { extensions: { resumeAfter: this.#cursor } }),
      }),
      signal: this.#controller.signal,
    });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      events.forEach((event) => this.#onEvent(event));
    }
  }

  #onEvent(event: string): void {
    this.#cursor = /^id: ?(?<cursor>.+)$/mu.exec(event)?.groups?.['cursor'] ?? this.#cursor;
    this.isOpen ||= this.#cursor !== undefined;
    const id = /"ticked":\{"id":"acme (?<id>\d+)"\}/u.exec(event)?.groups?.['id'];
    if (id !== undefined) {
      this.ids.push(id);
    }
  }
}

async function metricsAt(adminPort: number): Promise<string> {
  return await (await fetch(`http://${loopback(adminPort)}/metrics`)).text();
}

/** The subscriptions of clients in each worker of a gateway. */
async function openByWorker(adminPort: number): Promise<number[]> {
  const metrics = await metricsAt(adminPort);
  const samples = metrics.matchAll(/^apollo_router_opened_subscriptions\{[^\n]*\} (?<open>\d+)$/gmu);
  return Array.from(samples, ({ groups }) => Number(groups?.['open']));
}

describe('Callbacks to two gateways with two workers each, behind HAProxy', () => {
  it('reach the process that holds the stream, and no event is lost over the end of a gateway and of a subgraph', async () => {
    const clients: Client[] = [];
    const opening: Promise<void>[] = [];
    // Tokens of their own, so that the gateway opens a stream for each.
    for (let index = 0; index < 12; index += 1) {
      const client = new Client(`Bearer ${await identity.token({ subject: `reader-${index}` })}`);
      opening.push(client.run());
      clients.push(client);
    }
    const areOpen = (count = clients.length) =>
      eventually(() => {
        expect(clients.map(({ isOpen }) => isOpen)).toEqual(clients.map(() => true));
        expect(clock.open).toBeGreaterThanOrEqual(count);
      });
    await areOpen();
    for (const port of adminPorts) {
      const open = await openByWorker(port);
      expect(open).toHaveLength(2);
      expect(Math.min(...open)).toBeGreaterThan(0);
    }

    let count = 0;
    const tick = (times: number): void => {
      for (let time = 0; time < times; time += 1) {
        clock.tick();
        count += 1;
      }
    };
    const haveAll = async (): Promise<void> => {
      const all = Array.from({ length: count }, (_, id) => String(id));
      await eventually(() => expect(clients.map(({ ids }) => ids)).toEqual(clients.map(() => all)));
    };

    // Before any event: the position is the one of the response to the subscription.
    await stopFirstSubgraph();
    tick(5);
    await haveAll();
    await areOpen();
    tick(5);
    await haveAll();

    gateways[0]?.child.kill('SIGKILL');
    tick(5);
    await haveAll();
    tick(5);
    await haveAll();

    clients.forEach((client) => client.leave());
    await Promise.all(opening);
    await eventually(() => expect(clock.open).toBe(0));
  });
});
