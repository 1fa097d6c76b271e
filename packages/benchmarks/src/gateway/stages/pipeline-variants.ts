import { createHash, randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createDevelopmentIdentity } from '@meridian/auth/development';

import type { Program } from '../../harness/started-program.ts';
import type { Contender } from '../contenders.ts';
import { gatewayProgram } from '../contenders.ts';
import { asPersisted } from '../request-form.ts';
import type { Workload } from '../workload.ts';
import { subgraphNames, workloads } from '../workload.ts';

/** router.yaml, by its sections. */
type Sections = Readonly<Record<string, object | undefined>>;

/** The gateway with its whole pipeline on, and what can be switched off of it. */
export interface PipelineVariants {
  readonly whole: Contender;
  /** The whole with an inspector, over which it can be profiled. */
  readonly profiled: Contender & { readonly inspectorPort: number };
  /** Each without one stage, then without all of them, and last with whole requests shared. */
  readonly others: readonly Contender[];
}

export interface VariantOptions {
  readonly directory: string;
  /** Of a collector that takes every span. */
  readonly collectorUrl: string;
}

/** No request is refused: what is measured is what it takes to let it pass. */
const plenty = 1e15;
/** Each request runs, however busy the process is. */
const eachRuns = { overload: { max_event_loop_delay: '60s' }, deduplicate_requests: false };

/** Prepares a key, a token and a manifest, and with them the variants of the gateway's configuration. */
export async function pipelineVariants({
  directory,
  collectorUrl,
}: VariantOptions): Promise<PipelineVariants> {
  const identity = await createDevelopmentIdentity(join(directory, 'identity'));
  const manifestPath = join(directory, 'persisted-queries.json');
  await writeFile(manifestPath, manifestOf(workloads));
  const requests = asPersisted(await identity.signToken(), idOf);

  const { issuer, audience, jwksUrl } = identity;
  const limits = { max_depth: 12, max_aliases: 30, max_root_fields: 20, parser_max_tokens: 15_000 };
  const rateLimit = { capacity: plenty, interval: '1s' };
  const propagate = { named: 'authorization' };
  const router = { timeout: '10s', concurrency_limit: 1000 };
  // As shipped, where nothing else is said; the shipped file has no collector.
  const whole = {
    supergraph: { path: '/graphql' },
    authentication: {
      router: { jwt: { jwks: [{ url: jwksUrl.href, issuers: [issuer], audiences: [audience] }] } },
    },
    authorization: { require_authentication: true },
    apq: { enabled: false },
    persisted_queries: {
      enabled: true,
      local_manifests: [manifestPath],
      safelist: { enabled: true, require_id: true },
    },
    limits,
    demand_control: {
      enabled: true,
      mode: 'enforce',
      strategy: { static_estimated: { list_size: 10, max: plenty } },
    },
    traffic_shaping: {
      router: { ...router, global_rate_limit: rateLimit },
      all: { timeout: '5s', deduplicate_query: true },
    },
    headers: {
      subgraphs: Object.fromEntries(
        subgraphNames.map((name) => [name, { request: { operations: [{ propagate }] } }]),
      ),
    },
    telemetry: {
      exporters: { tracing: { otlp: { enabled: true, protocol: 'http', endpoint: collectorUrl } } },
    },
    meridian: { ...eachRuns, throttle: { unit: 'cost', tenant: rateLimit } },
  } satisfies Sections;

  const { traffic_shaping: traffic, meridian } = whole;
  const without = {
    'the token': { authentication: undefined, authorization: undefined },
    'passing the token on': { headers: undefined },
    'CSRF prevention': { csrf: { unsafe_disabled: true } },
    'cost (but for the throttle)': {
      demand_control: undefined,
      meridian: { ...meridian, cost: { measure_every: plenty } },
    },
    'the throttle': { traffic_shaping: { ...traffic, router }, meridian: eachRuns },
    'sharing equal calls': { traffic_shaping: { ...traffic, all: { deduplicate_query: false } } },
    tracing: { telemetry: undefined },
    'field usage': { meridian: { ...meridian, usage: { enabled: false } } },
  } satisfies Record<string, Sections>;
  const withoutAny: Sections = {
    ...Object.assign({}, ...Object.values(without)),
    traffic_shaping: { router, all: { deduplicate_query: false } },
    meridian: { ...eachRuns, cost: { measure_every: plenty }, usage: { enabled: false } },
  };

  const variant = (name: string, changes: Sections, nodeFlags: readonly string[] = []): Contender => ({
    name,
    path: '/graphql',
    requests,
    prepare: () =>
      configuredGateway(
        join(directory, `${name.replaceAll(/\W+/g, '-')}.yaml`),
        { ...whole, ...changes },
        nodeFlags,
      ),
  });
  // Below the ports that the system gives to others.
  const inspectorPort = randomInt(10_000, 20_000);
  return {
    whole: variant('the whole pipeline', {}),
    profiled: {
      ...variant('the whole pipeline, profiled', {}, [`--inspect=127.0.0.1:${inspectorPort}`]),
      inspectorPort,
    },
    others: [
      ...Object.entries(without).map(([stage, changes]) => variant(`without ${stage}`, changes)),
      variant('without all of these', withoutAny),
      variant('with whole requests deduplicated', {
        meridian: { ...meridian, deduplicate_requests: true },
      }),
    ],
  };
}

async function configuredGateway(
  configPath: string,
  config: Sections,
  nodeFlags: readonly string[],
): Promise<Program> {
  // JSON is YAML.
  await writeFile(configPath, JSON.stringify(config, null, 2));
  // In production the keys could not come from a file.
  return gatewayProgram(configPath, { env: { NODE_ENV: 'development' }, nodeFlags });
}

function manifestOf(listed: readonly Workload[]): string {
  const operations = new Map(
    listed.map((workload) => {
      const id = idOf(workload);
      return [id, { id, name: workload.operationName, type: 'query', body: workload.query }];
    }),
  );
  return JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [...operations.values()],
  });
}

function idOf({ query }: Workload): string {
  return createHash('sha256').update(query).digest('hex');
}
