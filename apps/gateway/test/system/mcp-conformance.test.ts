// The conformance suite of the protocol, from npm, against the endpoint for tools. This repository does not depend on it,
// since it brings 120 packages, among them the first SDK and a client of GitHub.
import { execFile, execFileSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { withManifest } from '../mcp/mcp-client.ts';
import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { useFolder } from '../support/use-folder.ts';

/** Its dependencies are as on this day, too. */
const [suite, day] = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', '2026-10-15'];

const folder = useFolder();
let gateway: TestGateway;

beforeAll(async () => {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', `--before=${day}`];
  execFileSync('npm', ['install', ...flags, suite], { cwd: folder, stdio: 'pipe' });
  gateway = await startTestGateway({
    config: `${withManifest}\nmeridian: { mcp: { enabled: true, allow_anonymous: true } }`,
    // The names are the suite's.
    manifest: {
      simple: 'query test_simple_text { time }',
      failing: 'query test_error_handling { failing: topProducts(first: 1) { reviews { id } } }',
    },
  });
}, 180_000);
afterAll(() => gateway?.close());

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
}

async function run(scenario: string): Promise<readonly Check[]> {
  const output = join(folder, scenario);
  const program = join(folder, 'node_modules/.bin/conformance');
  const url = new URL('/mcp', gateway.url).href;
  // It ends with 1 where a check fails, which its file says too.
  await promisify(execFile)(program, ['server', '--url', url, '--scenario', scenario, '-o', output]).catch(
    () => {},
  );
  const [results = ''] = await readdir(output);
  return JSON.parse(await readFile(join(output, results, 'checks.json'), 'utf8')) as readonly Check[];
}

const failuresOf = (checks: readonly Check[]): readonly string[] =>
  checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : [])).toSorted();

describe('The conformance suite of the protocol', () => {
  it.each([
    'server-initialize',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-error',
    'dns-rebinding-protection',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ])('passes %s', async (scenario) => {
    if (scenario === 'tools-call-error') {
      gateway.products.misbehave((response) => void response.destroy());
    }
    const checks = await run(scenario);
    expect(failuresOf(checks)).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
  });

  it.each([
    // They call tools that only the suite's own server has.
    [
      'server-stateless',
      [
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-missing-capability-http-400',
        'sep-2575-server-no-log-without-loglevel',
        'sep-2575-server-rejects-undeclared-capability',
      ],
    ],
    // There are no prompts and no resources.
    [
      'caching',
      [
        'sep-2549-prompts-list-caching-hints',
        'sep-2549-resources-list-caching-hints',
        'sep-2549-resources-templates-list-caching-hints',
      ],
    ],
  ])('passes %s but for what is not there', async (scenario, failures) => {
    const checks = await run(scenario);
    expect(failuresOf(checks)).toEqual(failures);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(3);
  });
});
