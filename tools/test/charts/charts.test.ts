// The charts as helm rendered them into deploy/helm/golden: valid objects, and a gateway that starts with nothing else.
// Whether helm still renders them so is for `pnpm charts:check` to say.
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';

import { services } from '../../../packages/local-stack/src/services.ts';
import { findFreePort } from '../../../packages/processes/src/index.ts';
import { eventually, startServiceCommand } from '../../../packages/testing/src/index.ts';
import type { ServiceProcess } from '../../../packages/testing/src/index.ts';
import { goldenFiles } from '../../charts/golden-files.ts';
import { createSchemaCheck } from '../../charts/schema-faults.ts';
import type { KubernetesObject, KubernetesSchemas } from '../../charts/schema-faults.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

interface Workload extends KubernetesObject {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
}

interface Container {
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: {
    readonly readOnlyRootFilesystem: boolean;
    readonly allowPrivilegeEscalation: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
}

const isWorkload = (object: KubernetesObject): object is Workload =>
  ['Deployment', 'Job'].includes(object.kind);
const isConfigMap = (object: KubernetesObject): object is ConfigMap => object.kind === 'ConfigMap';

const read = (path: string): Promise<string> => readFile(pathOf(path), 'utf8');

async function objectsOf(name: string): Promise<KubernetesObject[]> {
  const path = goldenFiles.find((file) => file.name === name)?.path ?? '';
  return parseAllDocuments(await read(path)).map((document): KubernetesObject => document.toJS());
}

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
      for (const { env, lifecycle } of containers) {
        const graceMs = Number(env.find((variable) => variable.name === 'SHUTDOWN_GRACE_MS')?.value);
        const leavingMs = (lifecycle?.preStop.sleep.seconds ?? 0) * 1000;
        expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(leavingMs + graceMs);
      }
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

/**
 * Mounts ConfigMaps as the kubelet does: files are links into a folder that a link names, which is replaced at a
 * change.
 */
class MountedVolumes {
  readonly #root: string;
  #count = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async mount(path: string, data: Readonly<Record<string, string>>): Promise<void> {
    const folder = join(this.#root, path);
    this.#count += 1;
    const version = `..version-${this.#count}`;
    await mkdir(join(folder, version), { recursive: true });
    for (const [file, text] of Object.entries(data)) {
      await writeFile(join(folder, version, file), text);
      await symlink(join('..data', file), join(folder, file)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') {
          throw error;
        }
      });
    }
    await symlink(version, join(folder, '..new'));
    await rename(join(folder, '..new'), join(folder, '..data'));
  }

  inside(text: string): string {
    return text.replaceAll('/etc/meridian/', `${this.#root}/etc/meridian/`);
  }
}

describe.each([
  ['gateway', { data: { __typename: 'Query' } }],
  // It has a safelist.
  ['gateway-all', { errors: [{ extensions: { code: 'PERSISTED_QUERY_ID_REQUIRED' } }] }],
])('A gateway with the files, variables and flags of the golden file %s', (name, response) => {
  let root: string;
  let volumes: MountedVolumes;
  let supergraph: { readonly path: string; readonly data: Readonly<Record<string, string>> };
  let gateway: ServiceProcess;
  /** With several workers, the listener of all of them: the log names each worker's own first. */
  let adminUrl: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'meridian-charts-'));
    volumes = new MountedVolumes(root);
    const objects = await objectsOf(name);
    const configMaps = new Map(objects.filter(isConfigMap).map((map) => [map.metadata.name, map.data]));
    const deployment = objects.filter(isWorkload).find(({ kind }) => kind === 'Deployment');
    const { containers = [], volumes: declared = [] } = deployment?.spec.template.spec ?? {};
    const [container] = containers;
    for (const mount of container?.volumeMounts ?? []) {
      const source = declared.find((volume) => volume.name === mount.name)?.configMap?.name;
      const data = configMaps.get(source ?? '');
      if (data !== undefined) {
        const entries = Object.entries(data).map(([file, text]) => [file, volumes.inside(text)]);
        const files: Readonly<Record<string, string>> = Object.fromEntries(entries);
        await volumes.mount(mount.mountPath, files);
        if (basename(mount.mountPath) === 'supergraph') {
          supergraph = { path: mount.mountPath, data: files };
        }
      }
    }
    const environment = Object.fromEntries(
      (container?.env ?? []).flatMap(({ name: variable, value }) =>
        value === undefined ? [] : [[variable, volumes.inside(value)]],
      ),
    );
    const [, , ...flags] = container?.args ?? [];
    const adminPort = String(await findFreePort());
    adminUrl = `http://127.0.0.1:${adminPort}`;
    gateway = await startServiceCommand([process.execPath, pathOf('apps/gateway/src/main.ts'), ...flags], {
      env: {
        ...environment,
        // In the place of the pod's own addresses, and of the level that leaves out where it listens.
        HOST: '127.0.0.1',
        PORT: '0',
        ADMIN_HOST: '127.0.0.1',
        ADMIN_PORT: adminPort,
        LOG_LEVEL: 'info',
      },
    });
  });

  afterAll(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.exited;
    await rm(root, { recursive: true });
  });

  const ask = async (body: object): Promise<unknown> => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  };

  it('is ready, and answers', async () => {
    await eventually(async () => expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200));
    expect(await ask({ query: 'query Type { __typename }' })).toMatchObject(response);
  });

  it('takes up a changed ConfigMap without a restart', async () => {
    const hashes = async (): Promise<string[]> => {
      const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
      return metrics.match(/^meridian_running_info\{.*what="supergraph".*$/gmu) ?? [];
    };
    const before = await hashes();
    expect(before.length).toBeGreaterThan(0);
    const changed = Object.entries(supergraph.data).map(([file, text]) => [file, `${text}\n# later\n`]);
    await volumes.mount(supergraph.path, Object.fromEntries(changed));
    await eventually(async () => {
      for (const line of await hashes()) {
        expect(before).not.toContain(line);
      }
    });
  });

  it('has every metric that the dashboard and the alerts read', async () => {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    const known = new Set(
      Array.from(metrics.matchAll(/^# TYPE (?<name>\S+) (?<type>\S+)$/gmu)).flatMap(({ groups }) => {
        const metric = groups?.['name'] ?? '';
        return groups?.['type'] === 'histogram'
          ? ['_bucket', '_count', '_sum'].map((end) => metric + end)
          : [metric];
      }),
    );
    const texts = await Promise.all(
      ['alerts.yaml', 'dashboards/meridian-gateway.json'].map((file) =>
        read(`deploy/helm/meridian-gateway/${file}`),
      ),
    );
    const named = new Set(
      texts
        .flatMap((text) => expressionsIn(text))
        .flatMap((expression) =>
          Array.from(
            expression.matchAll(/\b(?:http|meridian|apollo|cost|process|nodejs|db)_[a-z_]+\b/gu),
            ([metric]) => metric,
          ),
        ),
    );
    expect(named.size).toBeGreaterThan(10);
    // Of a gateway with several workers, which the other golden file has, and of the services.
    const elsewhere =
      name === 'gateway' ? /^(?:meridian_workers_|db_client_operation_)/u : /^db_client_operation_/u;
    expect([...named].filter((metric) => !known.has(metric) && !elsewhere.test(metric))).toEqual([]);
  });
});

/** The PromQL of a file: what is at `expr` and `query`. Labels and their values are left out. */
function expressionsIn(text: string): string[] {
  const found: string[] = [];
  JSON.stringify(parse(text), (key, value: unknown) => {
    if (key === 'expr' && typeof value === 'string') {
      found.push(value.replaceAll(/\{[^}]*\}/gu, '').replaceAll(/\b(?:by|without) ?\([^)]*\)/gu, ''));
    }
    return value;
  });
  return found;
}

describe('The alerts of the chart', () => {
  it('equal the alerts in docs/observability.md', async () => {
    const page = await read('docs/observability.md');
    const documented = /```yaml\n(?<groups>groups:.*?)```/su.exec(page)?.groups?.['groups'] ?? '';
    const { groups }: { readonly groups: readonly { readonly name: string }[] } = parse(
      await read('deploy/helm/meridian-gateway/alerts.yaml'),
    );
    expect(parse(documented)).toEqual({ groups: groups.filter(({ name }) => name === 'meridian') });
  });
});
