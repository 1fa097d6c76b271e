// The charts as helm rendered them into deploy/helm/golden are valid objects. Whether helm still renders them so is for
// `pnpm charts:check` to say.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { readServices } from '../../../packages/development/local-stack/src/apps/services.ts';
import { goldenFiles } from '../../charts/golden-files.ts';
import { createSchemaCheck } from '../../charts/schema-faults.ts';
import type { KubernetesObject, KubernetesSchemas } from '../../charts/schema-faults.ts';
import { isWorkload, objectsOf, read } from './golden-objects.ts';
import type { Workload } from './golden-objects.ts';

const services = readServices();

async function workloadsOf(name: string): Promise<Workload[]> {
  return (await objectsOf(name)).filter(isWorkload);
}

let check: (object: KubernetesObject) => string[];
beforeAll(async () => {
  const schemas: KubernetesSchemas = JSON.parse(await read('tools/charts/kubernetes-schemas.json'));
  check = createSchemaCheck(schemas);
});

describe('createSchemaCheck', () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'graph' } };

  it.each([
    [
      'a wrong type',
      { spec: { ports: [{ port: '80' }] } },
      'Service/graph/spec/ports/0/port must be integer',
    ],
    ['an unknown key', { spec: { selectors: {} } }, 'Service/graph/spec must NOT have additional properties'],
    [
      'a missing key',
      { spec: { ports: [{}] } },
      "Service/graph/spec/ports/0 must have required property 'port'",
    ],
  ])('finds %s', (_, members, fault) => {
    expect(check({ ...service, ...members })).toEqual([expect.stringContaining(fault)]);
  });

  it('refuses a kind that it has no schema of', () => {
    expect(check({ ...service, kind: 'Servise' })).toEqual([
      'Servise/graph is of a kind without a schema: v1/Servise',
    ]);
  });
});

describe.each(goldenFiles.map(({ name }) => name))('The golden file %s', (name) => {
  it('has only objects that Kubernetes takes', async () => {
    const objects = await objectsOf(name);
    expect(objects.flatMap(check)).toEqual([]);
    expect(objects.length).toBeGreaterThan(5);
  });

  it('runs every container without root, rights, a token and a place to write', async () => {
    for (const { spec } of await workloadsOf(name)) {
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      for (const container of spec.template.spec.containers) {
        expect(container.securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('gives a pod more time than it takes to leave the balancers and to finish its requests', async () => {
    const deployments = (await workloadsOf(name)).filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds = 30 } = spec.template.spec;
      const [{ env, lifecycle }] = containers;
      const graceMs = Number(env.find((variable) => variable.name === 'SHUTDOWN_GRACE_MS')?.value);
      const leavingMs = (lifecycle?.preStop.sleep.seconds ?? 0) * 1000;
      expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(leavingMs + graceMs);
    }
  });
});

describe('The chart meridian', () => {
  interface Values {
    readonly services: Readonly<Record<string, { readonly port: number }>>;
    readonly gateway: { readonly router: { readonly configuration: unknown } };
  }

  it('has the shipped router.yaml, and a service for each app at the port that it has everywhere', async () => {
    const values: Values = parse(await read('deploy/helm/meridian/values.yaml'), { merge: true });
    expect(values.gateway.router.configuration).toEqual(parse(await read('router.yaml'), { merge: true }));
    expect(Object.entries(values.services).map(([name, { port }]) => [name, port])).toEqual(
      services.filter(({ name }) => name !== 'gateway').map(({ name, port }) => [name, port]),
    );
  });
});

describe('The charts', () => {
  it("have the repository's version", async () => {
    const { version }: { readonly version: string } = JSON.parse(await read('package.json'));
    for (const chart of ['meridian-gateway', 'meridian']) {
      expect(parse(await read(`deploy/helm/${chart}/Chart.yaml`))).toMatchObject({
        version,
        appVersion: version,
      });
    }
  });
});
