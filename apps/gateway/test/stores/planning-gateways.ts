import type { TestGateway } from '../support/test-gateway.ts';
import { persisted, startTestGateway } from '../support/test-gateway.ts';

/** Gateways over one supergraph, which plan the operations of their manifest before they are ready. */
export interface PlanningGateways {
  start(config: string, operations?: Readonly<Record<string, string>>): Promise<TestGateway>;
  close(): Promise<void>;
}

const manifest = {
  one: 'query One { topProducts(first: 2) { name } }',
  two: 'query Two($id: ID!) { product(id: $id) { name reviews { body } } }',
};

export function createPlanningGateways(): PlanningGateways {
  const gateways: TestGateway[] = [];
  return {
    async start(config, operations = {}) {
      const [first] = gateways;
      const gateway = await startTestGateway({
        manifest: { ...manifest, ...operations },
        // Subgraphs of another gateway have other URLs, and so another supergraph.
        env: first === undefined ? {} : { SUPERGRAPH_PATH: first.supergraphPath },
        config: `
persisted_queries:
  enabled: true
  safelist: { enabled: true }
  local_manifests: ["\${env.MANIFEST_PATH}"]
  experimental_prewarm_query_plan_cache: { on_startup: true }
${config}
`,
      });
      gateways.push(gateway);
      return gateway;
    },
    async close() {
      await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
    },
  };
}

/** The responses to the operations of the manifest. */
export async function bodiesOf(gateway: TestGateway): Promise<unknown[]> {
  const [one, two] = [
    await gateway.post(persisted('one')),
    await gateway.post({ ...persisted('two'), variables: { id: 1 } }),
  ];
  return [one.body, two.body];
}

/** The number of operations that a gateway has planned itself. */
export async function plannedBy(gateway: TestGateway): Promise<number> {
  return await sampleOf(gateway, 'apollo_router_query_planning_plan_duration_count', 'outcome="success"');
}

/** The value of a metric; 0 where there is none. */
export async function sampleOf(gateway: TestGateway, name: string, label: string): Promise<number> {
  const lines = (await gateway.metrics()).split('\n');
  const line = lines.find((sample) => sample.startsWith(`${name}{`) && sample.includes(label));
  return Number(line?.split(' ').at(-1) ?? 0);
}
