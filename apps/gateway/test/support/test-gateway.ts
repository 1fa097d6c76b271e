import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StopSignal } from '@meridian/cancellation';
import type { createPlannerThread } from '@meridian/executor';
import type { TlsOptions } from '@meridian/http';
import { createAdminListener, createHttpServer } from '@meridian/http';
import type { Metrics } from '@meridian/telemetry';
import { createLogger, createMetrics } from '@meridian/telemetry';
import { eventually, listenOnLoopback } from '@meridian/testing';

import type { GatewayConfig } from '../../src/config/gateway-config.ts';
import { readConfig, readGraphConfig } from '../../src/config/gateway-config.ts';
import type { Gateway } from '../../src/gateway.ts';
import { openGateway } from '../../src/gateway.ts';
import { openGraphs } from '../../src/graphs/open-graphs.ts';
import { healthRoute } from '../../src/http/health-route.ts';
import { createRenderProblem } from '../../src/errors/render-problem.ts';
import { sharedPlanner } from './shared-planner.ts';
import { startShop } from './start-shop.ts';
import type { StubSubgraph } from './stub-subgraph.ts';

/** An error as a client gets it. */
export interface ClientSideError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly object[];
  readonly extensions: { readonly code: string; readonly traceId: string; readonly [name: string]: unknown };
}

/** A response as a client gets it. */
export interface ClientSideResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty for a response without a body. */
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly ClientSideError[];
    readonly extensions?: unknown;
  };
  /** The code of the first error. */
  readonly code: string | undefined;
}

export interface TestGatewayOptions {
  /** router.yaml. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The operations of the manifest, texts by identifier. */
  readonly manifest?: Readonly<Record<string, string>>;
  /** Of the listener for clients, whose URL still begins with `http`. Default: without TLS. */
  readonly tls?: TlsOptions;
  /** Default: gateways with one supergraph share a planner. */
  readonly createPlanner?: typeof createPlannerThread;
  /** Aborts when the process would stop. */
  readonly stopping?: StopSignal;
  /** Puts more files into the gateway's folder before it starts, and gives what the environment says of them. */
  readonly prepare?: (directory: string) => Promise<Readonly<Record<string, string>>>;
}

/** A gateway on loopback, over the shop's subgraphs. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  /** Of the admin listener, without a path. */
  readonly adminUrl: string;
  readonly products: StubSubgraph;
  readonly reviews: StubSubgraph;
  /** The lines that it has written to its log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Resolves once one of them has these members. */
  logged(members: Readonly<Record<string, unknown>>): Promise<void>;
  readonly configPath: string;
  readonly manifestPath: string;
  readonly supergraphPath: string;
  /** Prometheus's view. */
  metrics(): Promise<string>;
  /** Sends a body: an object as JSON, a text or bytes as they are. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<ClientSideResponse>;
  /** The same, for a response that is not one JSON, and for a client that leaves. */
  readonly send: (
    body: unknown,
    headers?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ) => Promise<Response>;
  /** Sends members in the query string: objects as JSON, texts as they are. */
  get(members: object, headers?: Readonly<Record<string, string>>): Promise<ClientSideResponse>;
  /** Closing again waits for the same end. */
  close(): Promise<void>;
}

/** Starts a gateway with only the given configuration. By default it takes any named operation from any caller. */
export async function startTestGateway({
  config = '',
  env = {},
  manifest = {},
  prepare = () => Promise.resolve({}),
  createPlanner = sharedPlanner,
  stopping,
  tls,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-gateway-'));
  const paths = {
    supergraph: join(directory, 'supergraph.graphql'),
    config: join(directory, 'router.yaml'),
    manifest: join(directory, 'persisted-queries.json'),
  };
  const shop = await startShop();
  const { products, reviews } = shop;
  await writeFile(paths.supergraph, shop.supergraphSdl);
  await writeFile(paths.config, config);
  await writeFile(paths.manifest, manifestOf(manifest));
  const prepared = await prepare(directory);

  const log: Readonly<Record<string, unknown>>[] = [];
  const logger = createLogger({
    service: 'gateway',
    destination: { write: (line) => void log.push(JSON.parse(line) as Readonly<Record<string, unknown>>) },
  });
  const environment = {
    SUPERGRAPH_PATH: paths.supergraph,
    ROUTER_CONFIG_PATH: paths.config,
    MANIFEST_PATH: paths.manifest,
    ...prepared,
    ...env,
  };
  const readNow = (): GatewayConfig => readConfig(environment);
  const open = async (): Promise<readonly [Gateway, Metrics]> => {
    const config = readNow();
    const own = createMetrics({ service: 'gateway', views: config.metricViews });
    const options = {
      config,
      logger,
      metrics: own,
      checkFilesEveryMs: 20,
      createPlanner,
      ...(stopping && { stopping }),
    };
    const opened = await (config.graphs.length === 0
      ? openGateway({ ...options, readConfig: readNow })
      : openGraphs({
          ...options,
          readConfig: readNow,
          readGraphConfig: (graph) => readGraphConfig(environment, graph),
        }));
    return [opened, own];
  };
  const [gateway, metrics] = await open().catch(async (error: unknown) => {
    await shop.close();
    await rm(directory, { recursive: true });
    throw error;
  });
  const renderProblem = createRenderProblem(logger);
  const server = await listenOnLoopback(
    createHttpServer({
      serve: gateway.serve,
      upgrade: gateway.upgrade,
      renderProblem,
      logger,
      metrics,
      tls,
    }),
  );
  const admin = await listenOnLoopback(
    createAdminListener({
      metrics,
      logger,
      renderProblem,
      isReady: () => Promise.resolve(),
      routes: () => ({ ...healthRoute('/health', gateway.health), ...gateway.adminRoutes }),
    }),
  );
  const url = `${server.url}/graphql`;
  const closeOnce = async (): Promise<void> => {
    await server.close();
    await admin.close();
    await gateway.close();
    await shop.close();
    await rm(directory, { recursive: true });
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeOnce());
  const send: TestGateway['send'] = (body, headers = {}, signal) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });

  return {
    products,
    reviews,
    url,
    adminUrl: admin.url,
    log,
    configPath: paths.config,
    manifestPath: paths.manifest,
    supergraphPath: paths.supergraph,
    metrics: () => metrics.expose(),
    async logged(members) {
      // Not where it is imported: programs outside jest have gateways, too.
      const { expect } = await import('@jest/globals');
      await eventually(() => expect(log).toContainEqual(expect.objectContaining(members)));
    },
    send,
    post: async (body, headers) => await read(await send(body, headers)),
    get: async (members, headers = {}) =>
      await read(
        await fetch(`${url}?${queryStringOf(members)}`, {
          headers: { 'apollo-require-preflight': 'yes', ...headers },
        }),
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Sends a body, and hangs up when the products subgraph has the request for it. */
export async function leave({ send, products }: TestGateway, body: object): Promise<void> {
  const leaving = new AbortController();
  products.misbehave(() => leaving.abort());
  await send(body, {}, leaving.signal).then(
    () => {
      throw new Error('there was a response');
    },
    () => {},
  );
}

/** A manifest in Apollo's format. */
export function manifestOf(operations: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: Object.entries(operations).map(([id, body]) => ({
      id,
      name: /(?:query|mutation) (\w+)/.exec(body)?.[1] ?? '',
      type: body.startsWith('mutation') ? 'mutation' : 'query',
      body,
    })),
  });
}

/** The `extensions` that name a persisted operation. */
export function persisted(sha256Hash: string): { extensions: object } {
  return { extensions: { persistedQuery: { version: 1, sha256Hash } } };
}

function queryStringOf(members: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(members) as [string, unknown][]) {
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return parameters.toString();
}

async function read(response: Response): Promise<ClientSideResponse> {
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as ClientSideResponse['body'];
  return {
    status: response.status,
    headers: response.headers,
    body,
    code: body.errors?.[0]?.extensions.code,
  };
}
