import { variableOf } from '../../../packages/development/local-stack/src/apps/index.ts';
import { readConfig } from '../../../apps/gateway/src/config/gateway-config.ts';
import { openGateway } from '../../../apps/gateway/src/gateway.ts';
import { startSubgraph } from '../../../packages/services/subgraph/test/support/index.ts';
import type { GraphqlBody, Who } from '../../../packages/services/subgraph/test/support/index.ts';
import { exchangeListener } from '../../../packages/core/http/src/index.ts';
import { createLogger, createMetrics } from '../../../packages/core/telemetry/src/index.ts';
import { createTestIdentity, listenOnLoopback } from '../../../packages/development/testing/src/index.ts';
import { pathOf, shippedSubgraphs, startOptionsOf } from './shipped-subgraphs.ts';
import { tapInto } from './tap.ts';
import type { Tap } from './tap.ts';

/** The work that an operation caused in the subgraphs. */
export interface Cost {
  /**
   * The requests that each subgraph got, in the order of arrival: how many representations, or `root` for root fields.
   */
  readonly requests: Readonly<Record<string, readonly (number | 'root')[]>>;
  /** The SQL statements that each subgraph sent. */
  readonly statements: Readonly<Record<string, number>>;
}

/** By subgraph, the answers that were not written as the gateway reads fastest. */
export type OtherwiseWritten = Readonly<Record<string, number>>;

/** The gateway as shipped, over all subgraphs as shipped, with the demo data. */
export interface RealGraph {
  /**
   * Has an operation executed, by default for alice of acme, and counts what that takes; the subgraphs that do nothing
   * are left out.
   */
  measure(operation: object, who?: Who): Promise<{ readonly response: GraphqlBody; readonly cost: Cost }>;
  /** Up to now. */
  otherwiseWritten(): Promise<OtherwiseWritten>;
  close(): Promise<void>;
}

export async function startRealGraph(): Promise<RealGraph> {
  const identity = await createTestIdentity();
  const start = async (name: string, products?: Tap) => {
    const { createApp, ...options } = await startOptionsOf(name);
    const called = products && { products: { url: `${products.url}/graphql`, timeoutMs: 10_000 } };
    const subgraph = await startSubgraph({
      ...options,
      createApp: (dependencies) => createApp({ ...dependencies, ...called }),
      identity,
    });
    return { name, subgraph, tap: await tapInto(subgraph.url) };
  };
  // Reviews asks it.
  const products = await start('products');
  const others = shippedSubgraphs.filter((name) => name !== 'products');
  const subgraphs = [products, ...(await Promise.all(others.map((name) => start(name, products.tap))))];
  const metrics = createMetrics({ service: 'gateway' });
  const config = readConfig({
    NODE_ENV: 'development',
    SUPERGRAPH_PATH: pathOf('supergraph.graphql'),
    ROUTER_CONFIG_PATH: pathOf('router.yaml'),
    // An operation need not be in the manifest.
    ROUTER_CONFIG_OVERLAY_PATH: pathOf('router.development.yaml'),
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    ...Object.fromEntries(subgraphs.map(({ name, tap }) => [variableOf(name), `${tap.url}/graphql`])),
  });
  const gateway = await openGateway({
    // The tests count; how fast a subgraph is, such as reviews within its 800 ms, depends on the machine.
    config: { ...config, subgraphs: withoutHurry(config.subgraphs) },
    logger: createLogger({ service: 'gateway', level: 'silent' }),
    metrics,
  });
  const server = await listenOnLoopback(exchangeListener(gateway.serve));

  async function ask(operation: object, who?: Who): Promise<GraphqlBody> {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await identity.token(who)}` },
      body: JSON.stringify(operation),
    });
    return (await response.json()) as GraphqlBody;
  }

  return {
    async measure(operation, who) {
      const statements: Record<string, number> = {};
      // Each subgraph counts around the next, and the innermost asks.
      const counted = subgraphs.reduce(
        (inner, { name, subgraph }) =>
          async () => {
            const outcome = await subgraph.counting(inner);
            if (outcome.statements > 0) {
              statements[name] = outcome.statements;
            }
            return outcome.response;
          },
        () => ask(operation, who),
      );
      for (const { tap } of subgraphs) {
        tap.seen.length = 0;
      }
      const response = await counted();
      const requests = subgraphs
        .filter(({ tap }) => tap.seen.length > 0)
        .map(({ name, tap }) => [
          name,
          tap.seen.map(({ representations }) => representations?.length ?? ('root' as const)),
        ]);
      return { response, cost: { requests: Object.fromEntries(requests), statements } };
    },
    async otherwiseWritten() {
      const counter = metrics.registry.getSingleMetric('meridian_slow_path_responses_total');
      const { values = [] } = (await counter?.get()) ?? {};
      return Object.fromEntries(values.map(({ labels, value }) => [labels['subgraph_name'], value]));
    },
    async close() {
      await server.close();
      await gateway.close();
      for (const { tap, subgraph } of subgraphs) {
        await tap.close();
        await subgraph.stop();
      }
      await identity.close();
    },
  };
}

type SubgraphsConfig = ReturnType<typeof readConfig>['subgraphs'];

function withoutHurry(subgraphs: SubgraphsConfig): SubgraphsConfig {
  return {
    ...subgraphs,
    settingsOf: (name) => ({ ...subgraphs.settingsOf(name), timeoutMs: 60_000 }),
  };
}
