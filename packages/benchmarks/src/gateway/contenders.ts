import { execFile } from 'node:child_process';
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Program } from '../harness/started-program.ts';
import type { RequestForm } from './request-form.ts';
import { asText } from './request-form.ts';

/** A measured program, which serves GraphQL at a port. */
export interface Contender {
  readonly name: string;
  readonly path: string;
  readonly requests: RequestForm;
  /** Makes it ready to start: what it is started with. */
  prepare(): Promise<Program>;
}

/** The gateway of this repository. */
export const gatewayScript = join(import.meta.dirname, '../../../../apps/gateway/src/main.ts');

/** Everyone, the floor and stock first. */
export function contendersIn(directory: string): readonly Contender[] {
  return [
    ours('floor: the same calls with undici, a canned answer', 'floor-server.ts', { CLIENT: 'undici' }),
    ours('floor: the same calls with our client, a canned answer', 'floor-server.ts', { CLIENT: 'own' }),
    published('stock @apollo/gateway + Apollo Server', 'stock', directory, '/'),
    gateway(' with stock @apollo/gateway inside', 'executor: apollo', directory),
    gateway(', each request run', 'deduplicate_requests: false', directory),
    gateway(', as shipped', 'executor: compiled', directory),
    ours('our executor alone, on node:http', 'executor-server.ts'),
    published('Hive Gateway + router-runtime', 'hive', directory, '/graphql'),
    published(
      'Hive Gateway + router-runtime, equal requests in flight shared',
      'hive',
      directory,
      '/graphql',
      {
        SHARES_REQUESTS: 'true',
      },
    ),
    published('Mercurius', 'mercurius', directory, '/graphql'),
  ];
}

/** A program of this package. */
export function ours(name: string, script: string, env: Program['env'] = {}): Contender {
  return {
    name,
    path: '/graphql',
    requests: asText,
    prepare: () => Promise.resolve({ script: join(import.meta.dirname, script), env }),
  };
}

/** The gateway of this repository: without identity, limits and shedding of load, which others do not have in this comparison. */
function gateway(name: string, keys: string, directory: string): Contender {
  return {
    name: `our gateway${name}`,
    path: '/graphql',
    requests: asText,
    async prepare() {
      const config = join(directory, `router${name.replaceAll(/\W+/g, '-')}.yaml`);
      const overload = 'overload: { max_event_loop_delay: 60s }';
      await writeFile(config, `supergraph: { path: /graphql }\nmeridian: { ${keys}, ${overload} }\n`);
      return { script: gatewayScript, env: { ROUTER_CONFIG_PATH: config } };
    },
  };
}

/** A contender from npm. It is installed beside the results at first use, never with the repository. */
function published(
  name: string,
  folder: string,
  directory: string,
  path: string,
  env: Program['env'] = {},
): Contender {
  return {
    name,
    path,
    requests: asText,
    async prepare() {
      const home = join(directory, folder);
      await mkdir(home, { recursive: true });
      await cp(join(import.meta.dirname, '../../contenders', folder), home, { recursive: true });
      const isInstalled = await stat(join(home, 'node_modules')).then(
        () => true,
        () => false,
      );
      if (!isInstalled) {
        await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
          cwd: home,
        });
      }
      return { script: join(home, 'server.mjs'), env };
    },
  };
}
