import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';

import type { ConfigCheck } from '../src/check/check-config.ts';
import { checkConfig } from '../src/check/check-config.ts';
import { isUsable } from '../src/check/print-check.ts';
import { referencePage } from '../src/reference/reference-page.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
function run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

function check(text: string): ConfigCheck & { readonly isUsable: boolean } {
  const checked = checkConfig({ name: 'router.yaml', text }, { env: {}, readFile: () => '' });
  return { ...checked, isUsable: isUsable(checked) };
}

describe('the check of a Router configuration', () => {
  it('says of each key what becomes of it', () => {
    const { keys, faults, isUsable } = check(`
      supergraph: { listen: 0.0.0.0:4000 }
      limits: { router: { max_depth: 12 } }
      traffic_shaping: { deduplicate_variables: true }
      homepage: { enabled: false }
      rhai: { scripts: ./rhai }
      limts: { max_depth: 12 }
      headers: { subgraphs: { products: { request: [ { propagate: { named: authorization } } ] } } }
    `);
    expect(Object.fromEntries(keys.map(({ path, verdict }) => [path, verdict]))).toEqual({
      'supergraph.listen': 'honoured',
      'limits.router.max_depth': 'free',
      'traffic_shaping.deduplicate_variables': 'without effect',
      homepage: 'without effect',
      rhai: 'not supported',
      limts: 'unknown',
      'headers.subgraphs.products.request[0].propagate.named': 'honoured',
    });
    expect(keys.find(({ path }) => path === 'limts')?.remark).toBe('the nearest known key is limits');
    expect(keys.every(({ remark }) => remark !== '')).toBe(true);
    expect({ faults, isUsable }).toEqual({ faults: [], isUsable: false });
  });

  it('finds values that cannot stand, and keys that contradict each other', () => {
    expect(check('limits: { max_depth: deep }')).toMatchObject({
      faults: ['limits.max_depth: holds a text of another form; it takes a whole number from 1 up'],
      isUsable: false,
    });
    expect(check('persisted_queries: { safelist: { enabled: true } }').faults).toEqual([
      'persisted_queries.safelist.enabled: needs persisted_queries.enabled',
    ]);
    expect(check('limits: [').faults).toHaveLength(1);
  });

  it('does not count a variable that is not set here, and says so', () => {
    const { isUsable, faults, notes } = check("supergraph: { listen: '${env.NOWHERE_SET}' }");
    expect({ isUsable, faults }).toEqual({ isUsable: true, faults: [] });
    expect(notes).toEqual([
      expect.stringContaining('NOWHERE_SET, which is not set; the value was not checked'),
    ]);
  });

  it('notes keys in places of earlier versions', () => {
    expect(check('preview_operation_limits: { max_depth: 3 }')).toMatchObject({
      isUsable: true,
      keys: [{ path: 'preview_operation_limits.max_depth', line: 1, verdict: 'free' }],
      notes: ['preview_operation_limits is an earlier place of limits'],
    });
  });
});

describe('the line of a checked key', () => {
  it('is where it stands in the file, also in the place of an earlier version', () => {
    const { keys } = check(
      [
        'telemetry: { metrics: { prometheus: { enabled: true } } }',
        'health-check:',
        '  listen: 127.0.0.1:8088',
        'cors:',
        '  origins: [https://shop.example]',
        'headers:',
        '  all:',
        '    request:',
        '      - propagate: { named: authorization }',
        '      -',
        '        insert:',
        '          name: x-gateway',
        '          value: meridian',
        'rhai:',
        '  scripts: ./rhai',
        'override_subgraph_url: { products: http://127.0.0.1:1, reviews: http://127.0.0.1:2 }',
      ].join('\n'),
    );
    expect(
      keys.map(({ path, line }) => [path, line]).toSorted((one, other) => Number(one[1]) - Number(other[1])),
    ).toEqual([
      ['telemetry.metrics', 1],
      ['health-check.listen', 3],
      ['cors.origins', 5],
      ['headers.all.request[0].propagate.named', 9],
      ['headers.all.request[1].insert.name', 12],
      ['headers.all.request[1].insert.value', 13],
      ['rhai', 14],
      ['override_subgraph_url.products', 16],
      ['override_subgraph_url.reviews', 16],
    ]);
  });

  it('is that of an alias, for what its anchor brings', () => {
    const { keys } = check(
      'traffic_shaping:\n  all: &times\n    timeout: 3s\n  subgraphs:\n    reviews: *times\n    products:\n      timeout: 1s',
    );
    expect(keys.map(({ path, line }) => [path, line])).toEqual([
      ['traffic_shaping.all.timeout', 3],
      ['traffic_shaping.subgraphs.reviews.timeout', 5],
      ['traffic_shaping.subgraphs.products.timeout', 7],
    ]);
  });
});

describe('pnpm router-config check', () => {
  it('takes the shipped file, and prints it for people', () => {
    const { code, stdout } = run('check', fileURLToPath(new URL('../../../router.yaml', import.meta.url)));
    expect(stdout).toContain('honoured, and free: Apollo Router takes a GraphOS plan for it');
    expect(stdout).toMatch(/0 not supported, 0 unknown, 0 bad values\. The gateway starts with it\.\n$/);
    expect(code).toBe(0);
  });

  it.each([
    [[], 'check or reference is missing'],
    [['chekc'], "Unexpected argument 'chekc'"],
    [['--json'], "Unknown option '--json'"],
    [['check'], '<file> is missing'],
    [['check', 'one.yaml', 'two.yaml'], "Unexpected argument 'two.yaml'"],
    [['check', 'nothing-there.yaml'], 'nothing-there.yaml is not there or not readable'],
    [['reference', '--json'], "Unknown option '--json'"],
  ])('refuses %j in one line, and ends with 2', (words, fault) => {
    expect(run(...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${fault}: see pnpm router-config --help\n`,
    });
  });
});

describe('docs/router-yaml.md', () => {
  const page = readFileSync(new URL('../../../docs/router-yaml.md', import.meta.url), 'utf8');

  it('is what `pnpm router-config reference` writes', () => {
    expect(page).toBe(referencePage());
  });

  it.each(['max_depth', 'max_aliases', 'max_root_fields', 'parser_max_tokens'])(
    'has a row for limits.%s',
    (key) => {
      expect(page).toContain(`| \`limits.${key}\` |`);
    },
  );
});
