// A gateway that starts with nothing but a rendered chart, and has what its monitoring reads.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { eventually, listenOnLoopback } from '../../../packages/development/testing/src/index.ts';
import type { LoopbackServer } from '../../../packages/development/testing/src/index.ts';
import { runGateway } from './golden-gateway.ts';
import type { KubernetesObject } from '../../charts/schema-faults.ts';
import { objectsOf, read } from './golden-objects.ts';

describe.each([
  ['gateway', { data: { __typename: 'Query' } }],
  // It has a safelist.
  ['gateway-all', { errors: [{ extensions: { code: 'PERSISTED_QUERY_ID_REQUIRED' } }] }],
])('A gateway with the files, variables and flags of the golden file %s', (name, response) => {
  const { ask, admin, readMetrics, appendToSupergraph } = runGateway(name);

  it('is ready, and answers', async () => {
    await eventually(async () => expect((await admin('/readyz')).status).toBe(200));
    expect(await ask('query Type { __typename }')).toMatchObject(response);
  });

  it('takes up a changed ConfigMap without a restart', async () => {
    const hashes = async (): Promise<string[]> =>
      (await readMetrics()).match(/^meridian_running_info\{.*what="supergraph".*$/gmu) ?? [];
    const before = await hashes();
    expect(before.length).toBeGreaterThan(0);
    await appendToSupergraph('\n# later\n');
    await eventually(async () => {
      for (const line of await hashes()) {
        expect(before).not.toContain(line);
      }
    });
  });

  it('has every metric that the dashboard and the alerts read', async () => {
    const metrics = await readMetrics();
    const known = new Set(
      Array.from(metrics.matchAll(/^# TYPE (?<name>\S+) (?<type>\S+)$/gmu)).flatMap(({ groups }) => {
        const metric = groups?.['name'] ?? '';
        return groups?.['type'] === 'histogram'
          ? ['_bucket', '_count', '_sum'].map((end) => metric + end)
          : [metric];
      }),
    );
    const expressions = await readExpressions();
    const named = new Set(expressions.flatMap(selectorsIn).map(({ metric }) => metric));
    expect(named.size).toBeGreaterThan(10);
    // Of a gateway with several workers, which the other golden file has, and of the services.
    const elsewhere =
      name === 'gateway'
        ? /^(?:meridian_workers_|db_client_operation_|apollo_router_skipped_event_)/u
        : /^(?:db_client_operation_|apollo_router_skipped_event_)/u;
    expect([...named].filter((metric) => !known.has(metric) && !elsewhere.test(metric))).toEqual([]);
  });
});

describe('A gateway with values of the chart of Apollo Router, once it has failed, throttled and reloaded,', () => {
  /** A subgraph that responds in another order than asked, which takes the slow path, and then fails. */
  let clock: LoopbackServer;
  let requestCount = 0;
  beforeAll(async () => {
    clock = await listenOnLoopback((_, response) => {
      requestCount += 1;
      response.statusCode = requestCount === 1 ? 200 : 503;
      response.setHeader('Content-Type', 'application/json');
      response.end('{"data":{"zone":"UTC","time":"12:00"}}');
    });
  });
  afterAll(() => clock.close());

  const { ask, readMetrics, appendToSupergraph } = runGateway('gateway-router', () => ({
    CLOCK_URL: `${clock.url}/graphql`,
  }));

  beforeAll(async () => {
    await ask('query Time { time zone }');
    await ask('query Time { time zone }');
    await appendToSupergraph('\n# later\n');
  });

  it('has every label that the dashboard and the alerts read', async () => {
    await eventually(async () => expect(await readMetrics()).toContain('meridian_reload_total{'));
    const metrics = await readMetrics();
    const missing: string[] = [];
    for (const expression of await readExpressions()) {
      for (const { metric, labels } of selectorsIn(expression)) {
        const samples = metrics.match(new RegExp(`^${metric}\\{.*`, 'gmu')) ?? [];
        const absent = labels.filter((label) => !samples.some((sample) => sample.includes(`${label}="`)));
        missing.push(...absent.map((label) => `${metric} ${label}`));
      }
    }
    // Of a gateway with several workers, or with subscriptions, and of the services.
    const elsewhere =
      /^(?:meridian_workers_|db_client_operation_|apollo_router_skipped_event_|meridian_subscription_ends_)/u;
    expect([...new Set(missing)].filter((each) => !elsewhere.test(each))).toEqual([]);
  });

  it('counts the requests that the autoscaler scales on', async () => {
    expect(await ask('query Time { time zone }')).toMatchObject({
      errors: [{ extensions: { code: 'REQUEST_RATE_LIMITED' } }],
    });
    const autoscaler = (await objectsOf('gateway-all')).find(isAutoscaler);
    const scaledOn = autoscaler?.spec.metrics.find(({ type }) => type === 'Pods')?.pods?.metric.name;
    const { groups }: AlertFile = parse(await read(alerts));
    const rule = groups.flatMap(({ rules }) => rules).find(({ record }) => record === scaledOn);
    const [, counter, codes] = /\((\w+)\{\s*code=~"([^"]+)"/u.exec(rule?.expr ?? '') ?? [];
    const counted = new RegExp(`^${counter}\\{.*code="(?:${codes})".*\\} (?<count>\\d+)$`, 'mu');
    expect(counted.exec(await readMetrics())?.groups).toEqual({ count: '1' });
  });
});

const alerts = 'deploy/helm/meridian-gateway/alerts.yaml';
const dashboard = 'deploy/helm/meridian-gateway/dashboards/meridian-gateway.json';

interface AlertFile {
  readonly groups: readonly {
    readonly rules: readonly { readonly record?: string; readonly expr: string }[];
  }[];
}

interface Autoscaler extends KubernetesObject {
  readonly spec: {
    readonly metrics: readonly {
      readonly type: string;
      readonly pods?: { readonly metric: { readonly name: string } };
    }[];
  };
}

const isAutoscaler = (object: KubernetesObject): object is Autoscaler =>
  object.kind === 'HorizontalPodAutoscaler';

/** The PromQL of the dashboard and the alerts. */
async function readExpressions(): Promise<string[]> {
  const found: string[] = [];
  for (const path of [alerts, dashboard]) {
    JSON.stringify(parse(await read(path)), (key, value: unknown) => {
      if (key === 'expr' && typeof value === 'string') {
        found.push(value);
      }
      return value;
    });
  }
  return found;
}

/** The metrics of an expression, each with the labels that it selects or sums by, but for the labels of the pod. */
function selectorsIn(expression: string): { readonly metric: string; readonly labels: readonly string[] }[] {
  const summedBy = Array.from(expression.matchAll(/\bby \((?<names>[^)]*)\)/gu)).flatMap(
    ({ groups }) => groups?.['names']?.split(/,\s*/u) ?? [],
  );
  const metrics =
    /\b(?<metric>(?:http|meridian|apollo|cost|process|nodejs|db)_[a-z_]+)\b(?:\{(?<matchers>[^}]*)\})?/gu;
  return Array.from(expression.replaceAll(/\bby \([^)]*\)/gu, '').matchAll(metrics)).map(({ groups }) => ({
    metric: groups?.['metric'] ?? '',
    labels: [...summedBy, ...(groups?.['matchers']?.match(/\w+(?=[!=]~?=?")/gu) ?? [])].filter(
      (label) => !['namespace', 'pod'].includes(label),
    ),
  }));
}
