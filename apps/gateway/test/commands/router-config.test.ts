import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { callCommand } from '@meridian/testing';
import type { CommandEnding } from '@meridian/testing';

import { useFolder } from '../support/use-folder.ts';

const program = new URL('../../../../tools/commands/router-config.ts', import.meta.url);
const shipped = fileURLToPath(new URL('../../../../router.yaml', import.meta.url));
const directory = useFolder();

function run(...args: readonly string[]): Promise<CommandEnding> {
  return callCommand(program, args);
}

function file(text: string): string {
  const path = join(directory, 'router.yaml');
  writeFileSync(path, text);
  return path;
}

describe('pnpm router-config check', () => {
  it('accepts the shipped file, and prints a readable report', async () => {
    const { code, stdout } = await run('check', shipped);
    expect(stdout).toContain('honoured, and free: Apollo Router needs a GraphOS plan for it');
    expect(stdout).toContain('different from Apollo Router (docs/differences-from-apollo-router.md)');
    expect(stdout).toMatch(
      /0 not supported, 0 unknown, 0 faults\. In production, the gateway starts with it, once it has env\.JWKS_URL, env\.JWT_ISSUER\.\n$/,
    );
    expect(code).toBe(0);
  });

  it('exits 1 for a file that does not start the gateway, and says what to add', async () => {
    const jwks = 'authentication: { router: { jwt: { jwks: [ { url: "http://keys.internal/" } ] } } }';
    const { code, stdout } = await run('check', file(jwks));
    expect(stdout).toContain('meridian.authentication.plain_http_hosts: [keys.internal]');
    expect(stdout).toMatch(/1 fault\. In production, the gateway does not start with it\.\n$/);
    expect(code).toBe(1);
  });

  it('checks for development with the flag for it', async () => {
    const path = file('authentication: { router: { jwt: { jwks: [ { url: "http://127.0.0.1/jwks" } ] } } }');
    expect(await run('check', path)).toMatchObject({ code: 1 });
    expect(await run('check', '--development', path)).toMatchObject({ code: 0 });
  });

  it('prints JSON with all that it says', async () => {
    const { code, stdout } = await run('check', '--json', file('supergraph: { introspection: true }'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      file: join(directory, 'router.yaml'),
      mode: 'production',
      starts: true,
      needs: [],
      keys: [expect.objectContaining({ path: 'supergraph.introspection', line: 1, verdict: 'honoured' })],
      faults: [],
      notes: [expect.stringMatching(/^supergraph\.introspection shows the whole schema/)],
      differences: expect.arrayContaining([
        {
          about: 'meridian.operations.require_name',
          inRouter: 'an operation without a name runs',
          here: expect.stringContaining('ANONYMOUS_OPERATION'),
          change: 'meridian.operations.require_name: false',
        },
      ]),
    });
  });

  it.each([
    [[], 'check or reference is missing'],
    [['chekc'], "Unexpected argument 'chekc'"],
    [['--json'], "Unknown option '--json'"],
    [['check'], '<file> is missing'],
    [['check', 'one.yaml', 'two.yaml'], "Unexpected argument 'two.yaml'"],
    [['check', 'nothing-there.yaml'], 'nothing-there.yaml is not there or not readable'],
    [['reference', '--json'], "Unknown option '--json'"],
  ])('refuses %j in one line, and exits 2', async (args, fault) => {
    expect(await run(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${fault}: see pnpm router-config --help\n`,
    });
  });
});
