import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { NodeProgram, Program, StartedProgram } from '../harness/started-program.ts';
import { startProgram } from '../harness/started-program.ts';

/** A measured program, which serves GraphQL at a port. */
export interface Contender {
  readonly name: string;
  readonly path: string;
  /** Default: `one`. */
  readonly cores?: 'one' | 'all';
  /** Header fields of its requests, beside the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes it ready to start: what it is started with. */
  prepare(place: ContenderPlace): Promise<Program>;
}

/** Where a contender listens, and what it serves. A Node program has both in its environment too. */
export interface ContenderPlace {
  readonly port: number;
  readonly supergraphPath: string;
}

/** Starts one at a random port, with an environment beside its own. */
export async function startContender(
  contender: Contender,
  env: { readonly SUPERGRAPH_PATH: string; readonly [name: string]: string },
): Promise<{ readonly program: StartedProgram; readonly url: string }> {
  const port = randomInt(20_000, 32_000);
  const program = await contender.prepare({ port, supergraphPath: env.SUPERGRAPH_PATH });
  const addresses = { PORT: String(port), HOST: '127.0.0.1', ADMIN_PORT: String(port + 1) };
  return {
    program: startProgram({ ...program, env: { ...env, ...addresses, ...program.env } }, { stderr: 'pipe' }),
    url: `http://127.0.0.1:${port}${contender.path}`,
  };
}

const thisCheckout = join(import.meta.dirname, '../../../../..');

/** The gateway of a checkout, with a configuration, as its own commands start it. */
function gatewayProgram(configPath: string, checkout: string): NodeProgram {
  return {
    script: join(checkout, 'apps/gateway/src/main.ts'),
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      ROUTER_CONFIG_PATH: configPath,
    },
    setsYoungGeneration: true,
  };
}

/** Everyone, the floor and stock first. */
export function contendersIn(directory: string, hiveRouter: string | undefined): readonly Contender[] {
  return [
    {
      name: 'floor: the same calls, a canned response',
      path: '/graphql',
      prepare: () => Promise.resolve({ script: join(import.meta.dirname, 'floor-server.ts'), env: {} }),
    },
    published('stock @apollo/gateway + Apollo Server', 'stock', directory, '/'),
    gateway(' with stock @apollo/gateway inside', 'executor: apollo', directory),
    gateway(', nothing shared', 'deduplicate_requests: false', directory, {
      traffic: nothingShared,
      env: withoutLines,
    }),
    gateway(', each request run', 'deduplicate_requests: false', directory),
    gateway(', as shipped', 'executor: fast_path', directory),
    ...(hiveRouter === undefined ? [] : hiveRouters(hiveRouter, directory)),
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
  ];
}

/**
 * The gateway of this repository with one worker and with several, and Hive Router, on all cores. Nothing is shared
 * between requests: each worker would share only its own.
 */
export function workersIn(
  directory: string,
  workers: number,
  hiveRouter: string | undefined,
): readonly Contender[] {
  const [rival] = hiveRouter === undefined ? [] : hiveRouters(hiveRouter, directory, 'all');
  return [withWorkers(1, directory), withWorkers(workers, directory), ...(rival ? [rival] : [])];
}

/** The gateway of this checkout and the one of another, in pairs. */
export function checkoutsIn(directory: string, other: string): readonly Contender[] {
  const pair = (name: string, keys: string, traffic: string): readonly Contender[] => [
    gateway(`, ${name}`, keys, directory, { traffic }),
    gateway(`, before, ${name}`, keys, directory, { traffic, checkout: other }),
  ];
  return [
    ...pair('nothing shared', 'deduplicate_requests: false', nothingShared),
    ...pair('as shipped', 'executor: fast_path', ''),
  ];
}

function withWorkers(count: number, directory: string): Contender {
  const name = count === 1 ? ', one worker' : `, ${count} workers`;
  const contender = gateway(name, 'deduplicate_requests: false', directory, {
    traffic: nothingShared,
    env: withoutLines,
  });
  return {
    ...contender,
    cores: 'all',
    async prepare(place) {
      const program = await contender.prepare(place);
      return { ...program, env: { ...program.env, WEB_CONCURRENCY: String(count) } };
    },
  };
}

/** Settings of a gateway that is measured, beside the row's own. */
interface GatewaySettings {
  /** Members of `traffic_shaping`. */
  readonly traffic?: string;
  /** Further sections of its file. */
  readonly sections?: readonly string[];
  readonly env?: Program['env'];
  /** Default: this one. */
  readonly checkout?: string;
}

/**
 * The gateway of this repository: without identity, limits and shedding of load, which others do not have in this
 * comparison.
 *
 * @param keys members of `meridian`
 */
export function gateway(
  name: string,
  keys: string,
  directory: string,
  { traffic = '', sections = [], env = {}, checkout = thisCheckout }: GatewaySettings = {},
): Contender {
  return {
    name: `our gateway${name}`,
    path: '/graphql',
    async prepare() {
      const config = join(directory, `router${name.replaceAll(/\W+/g, '-')}.yaml`);
      const all = [
        'supergraph: { path: /graphql }',
        `traffic_shaping: { ${traffic} }`,
        `meridian: { ${keys}, overload: { max_event_loop_delay: 60s } }`,
        ...sections,
      ];
      await writeFile(config, all.join('\n'));
      const program = gatewayProgram(config, checkout);
      return { ...program, env: { ...program.env, ...env } };
    },
  };
}

/** Hive Router writes no line for a request. */
export const withoutLines = { LOG_REQUEST_RATIO: '0' };

/** In `traffic_shaping`: equal calls to a subgraph are each made. */
export const nothingShared = 'all: { deduplicate_query: false }';

export const hiveSharesNothing =
  'traffic_shaping: { all: { dedupe_enabled: false }, router: { dedupe: { enabled: false } } }';

/** Hive Router, the binary at this path: with nothing shared between requests, and with its defaults. */
function hiveRouters(
  executable: string,
  directory: string,
  cores: Contender['cores'] = 'one',
): readonly [nothingShared: Contender, asShipped: Contender] {
  const contender = (name: string, sections: readonly string[]): Contender => ({
    ...hiveRouter(executable, directory, { name, sections }),
    cores,
  });
  return [contender('nothing shared', [hiveSharesNothing]), contender('as shipped', [])];
}

export function hiveRouter(
  executable: string,
  directory: string,
  { name, sections }: { readonly name: string; readonly sections: readonly string[] },
): Contender {
  return {
    name: `Hive Router, ${name}`,
    path: '/graphql',
    async prepare({ port, supergraphPath }) {
      const config = join(directory, `hive-router-${name.replaceAll(/\W+/g, '-')}.yaml`);
      const all = [
        `supergraph: { source: file, path: ${JSON.stringify(supergraphPath)} }`,
        `http: { host: 127.0.0.1, port: ${port} }`,
        'log: { level: error }',
        ...sections,
      ];
      await writeFile(config, all.join('\n'));
      return { executable, env: { ROUTER_CONFIG_FILE_PATH: config } };
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
