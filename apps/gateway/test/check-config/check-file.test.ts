// Compares the verdict of `pnpm router-config check` with the start itself: each file below is checked, and then used
// for a start.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { RouterConfigError } from '@meridian/router-config';
import { createLogger, createMetrics } from '@meridian/telemetry';

import type { FileCheck } from '../../src/check-config/check-file.ts';
import { checkFile } from '../../src/check-config/check-file.ts';
import { readConfig } from '../../src/config/gateway-config.ts';
import { openGateway } from '../../src/gateway.ts';
import { sharedPlanner } from '../support/shared-planner.ts';
import { useFolder } from '../support/use-folder.ts';

type Mode = FileCheck['mode'];

const root = new URL('../../../../', import.meta.url);
const files = new URL('files/', import.meta.url);
const directory = useFolder();

/** The variables of the shipped files, and free ports. */
const env = {
  JWKS_URL: 'https://issuer.example/jwks.json',
  JWT_ISSUER: 'https://issuer.example',
  MANIFEST_PATH: fileURLToPath(new URL('persisted-queries.json', root)),
  EXPLAIN_SECRET: 'a-secret-of-enough-characters',
  SUPERGRAPH_PATH: fileURLToPath(new URL('supergraph.graphql', root)),
  PORT: '0',
  ADMIN_PORT: '0',
};

/** Files of Apollo Router's users that do not start the gateway, with the reason. */
const requestError: Readonly<Record<string, RegExp>> = {
  'authentication-required-without-keys': /needs authentication\.router\.jwt/,
  'cost-without-a-strategy': /needs strategy\.static_estimated/,
  'jwt-of-a-mesh': /plain_http_hosts: \[accounts\.identity\.svc\.cluster\.local\]/,
  'safelist-beside-apq': /apq\.enabled: must be false/,
  'not-urls': /redis\.urls\[0\]: holds[^]*override_subgraph_url\.products: holds[^]*otlp\.endpoint: holds/,
  'typing-error': /^limits\.max_deepth$/m,
  scripts: /^rhai$/m,
};

const typical = readdirSync(files).map((file) => ({
  name: file.replace('.yaml', ''),
  url: new URL(file, files),
}));
const shipped = [
  'router.yaml',
  'router.development.yaml',
  'apps/gateway/test/attacks/attacked.router.yaml',
  'apps/gateway/test/attacks/open.router.yaml',
].map((name) => ({ name, url: new URL(name, root) }));

function check(url: URL, mode: Mode): FileCheck {
  const text = readFileSync(url, 'utf8');
  return checkFile({ name: 'router.yaml', text }, { env, readFile: readText, mode });
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Resolves to true when the gateway starts with a file. */
async function starts(url: URL, mode: Mode): Promise<boolean> {
  try {
    const config = readConfig({ ...env, ROUTER_CONFIG_PATH: fileURLToPath(url), NODE_ENV: mode });
    const gateway = await openGateway({
      config,
      logger: createLogger({ service: 'gateway', level: 'silent' }),
      metrics: createMetrics({ service: 'gateway' }),
      createPlanner: sharedPlanner,
    });
    await gateway.close();
    return true;
  } catch (error) {
    if (error instanceof RouterConfigError) {
      return false;
    }
    throw error;
  }
}

/** The reasons why a check rejects a file: its faults, and the keys that the gateway lacks. */
function reasons({ faults, keys }: FileCheck): string {
  const missing = keys.filter(({ verdict }) => verdict === 'not supported' || verdict === 'unknown');
  return [...faults, ...missing.map(({ path }) => path)].join('\n');
}

describe('The check of a configuration file', () => {
  it.each(typical)('says whether the gateway starts with a file such as $name', async ({ name, url }) => {
    const checked = check(url, 'production');
    const reason = requestError[name];
    expect({ starts: checked.starts, needs: checked.needs }).toEqual({
      starts: reason === undefined,
      needs: [],
    });
    expect(reasons(checked)).toMatch(reason ?? /^$/);
    expect(await starts(url, 'production')).toBe(checked.starts);
  });

  it.each(
    [...shipped, ...typical.filter(({ name }) => name === 'first-steps' || name === 'jwt-of-a-file')].flatMap(
      ({ name, url }) => (['development', 'production'] as const).map((mode) => ({ name, url, mode })),
    ),
  )('says whether the gateway starts in $mode with $name', async ({ url, mode }) => {
    const checked = check(url, mode);
    expect(checked.needs).toEqual([]);
    expect(await starts(url, mode)).toBe(checked.starts);
  });

  /** Faults of every stage of reading, which have nothing to do with each other. */
  const faulty = {
    'of a value': 'supergraph: { listen: nowhere }',
    'of a value in a list': 'include_subgraph_errors: { subgraphs: { a: 7 } }',
    'of a missing value': 'health_check: { path: relative }',
    'of a rule over a section': `headers: { all: { request: { operations: [ { insert: { name: x, from_context: "meridian::subject", default: b } } ] } } }`,
    'of an unknown key': 'limts: { max_depth: 3 }',
    'of an unsupported key': 'rhai: { main: a }',
    'of a variable': "override_subgraph_url: { a: '${vault.URL}' }",
    'of two keys that contradict each other':
      'telemetry: { exporters: { tracing: { otlp: { grpc: { cert: x } } } } }',
    'of the start':
      'authentication: { router: { jwt: { jwks: [ { url: "http://a.example", algorithms: [none] } ] } } }',
    'of the start, by another key': 'meridian: { explain: { enabled: true } }',
  };

  /** The faults of a check, and of a start, which are the same. */
  function faultsOf(text: string): readonly string[] {
    const { faults, keys } = checkFile(
      { name: 'router.yaml', text },
      { env: {}, readFile: readText, mode: 'production' },
    );
    const path = join(directory, 'router.yaml');
    writeFileSync(path, text);
    const stopping = keys.filter(({ verdict }) => verdict === 'not supported' || verdict === 'unknown');
    const found = [...faults, ...stopping.map(({ path: key }) => key)];
    let message = '';
    try {
      readConfig({ ROUTER_CONFIG_PATH: path });
    } catch (error) {
      ({ message } = error as RouterConfigError);
    }
    expect(message.split('\n')).toHaveLength(found.length);
    found.forEach((fault) => expect(message).toContain(fault));
    return found.toSorted();
  }

  it('names all faults at once, of whatever stage, as the start does', () => {
    const each = Object.values(faulty).map((text) => faultsOf(text));
    expect(each.every((faults) => faults.length > 0)).toBe(true);
    expect(faultsOf(Object.values(faulty).join('\n'))).toEqual(each.flat().toSorted());
  });

  it('warns about introspection in production, and about nothing in development', () => {
    const url = new URL('introspection.yaml', files);
    expect(check(url, 'production').notes).toEqual([
      expect.stringMatching(/^supergraph\.introspection shows the whole schema/),
    ]);
    expect(check(url, 'development').notes).toEqual([]);
  });

  it('names the variables and the manifests that do not exist', () => {
    const text = `
      supergraph: { listen: '\${env.NOWHERE_SET}' }
      persisted_queries: { enabled: true, local_manifests: [nowhere.json] }
    `;
    const { starts: isUsable, needs } = checkFile(
      { name: 'router.yaml', text },
      { env: {}, readFile: readText, mode: 'production' },
    );
    expect({ isUsable, needs }).toEqual({ isUsable: true, needs: ['env.NOWHERE_SET', 'nowhere.json'] });
  });

  it('reads the manifests that exist', () => {
    const text = 'persisted_queries: { enabled: true, local_manifests: [package.json] }';
    const checked = checkFile(
      { name: 'router.yaml', text },
      { env: {}, readFile: readText, mode: 'production' },
    );
    expect(checked).toMatchObject({
      starts: false,
      faults: [expect.stringMatching(/^Cannot read the manifest package\.json: /)],
    });
  });
});
