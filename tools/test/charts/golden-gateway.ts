import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll } from '@jest/globals';

import { findFreePort } from '../../../packages/core/processes/src/index.ts';
import { compileCache, startServiceCommand } from '../../../packages/development/testing/src/index.ts';
import type { ServiceProcess } from '../../../packages/development/testing/src/index.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';
import { isConfigMap, isWorkload, objectsOf } from './golden-objects.ts';

/** A running gateway. */
interface GoldenGateway {
  readonly ask: (query: string) => Promise<unknown>;
  /** Asks its admin listener. */
  readonly admin: (path: string) => Promise<Response>;
  readonly readMetrics: () => Promise<string>;
  readonly appendToSupergraph: (text: string) => Promise<void>;
}

/** Runs a gateway with the files, variables and flags of a golden file, while the tests around it run. */
export function runGateway(
  name: string,
  environment: () => Readonly<Record<string, string>> = () => ({}),
): GoldenGateway {
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
    const { containers, volumes: declared = [] } = deployment?.spec.template.spec ?? {};
    const container = containers?.[0];
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
    const variables = Object.fromEntries(
      (container?.env ?? []).flatMap(({ name: variable, value }) =>
        value === undefined ? [] : [[variable, volumes.inside(value)]],
      ),
    );
    const [, , ...flags] = container?.args ?? [];
    const adminPort = String(await findFreePort());
    adminUrl = `http://127.0.0.1:${adminPort}`;
    gateway = await startServiceCommand([process.execPath, pathOf('apps/gateway/src/main.ts'), ...flags], {
      env: {
        ...compileCache(),
        ...variables,
        ...environment(),
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

  return {
    ask: async (query) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return await response.json();
    },
    admin: (path) => fetch(`${adminUrl}${path}`),
    readMetrics: async () => await (await fetch(`${adminUrl}/metrics`)).text(),
    appendToSupergraph: async (text) => {
      const changed = Object.entries(supergraph.data).map(([file, before]) => [file, before + text]);
      await volumes.mount(supergraph.path, Object.fromEntries(changed));
    },
  };
}

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
