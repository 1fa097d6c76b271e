import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callCommand } from '@meridian/testing';
import type { CommandEnding } from '@meridian/testing';

const program = new URL('../../../../../tools/commands/token.ts', import.meta.url);

describe('pnpm run token', () => {
  let dataRoot: string;

  beforeEach(() => {
    dataRoot = mkdtempSync(join(tmpdir(), 'meridian-token-'));
  });

  afterEach(() => rmSync(dataRoot, { recursive: true, force: true }));

  function run(...flags: readonly string[]): Promise<CommandEnding> {
    return callCommand(program, ['--data', dataRoot, ...flags]);
  }

  it('prints only a token on stdout, of an identity that it creates when there is none, and says so on stderr', async () => {
    const { code, stdout, stderr } = await run(
      '--tenant',
      'globex',
      '--subject',
      'bob',
      '--scope',
      'orders:read',
      '--ttl',
      '5m',
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Note: there was no identity yet, .*; made one in .*identity\n$/),
    });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/u);
    const claims = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ tenant_id: 'globex', sub: 'bob', scope: 'orders:read', aud: 'meridian' });
    expect(claims.exp - claims.iat).toBe(300);
    expect(statSync(join(dataRoot, 'identity', 'private-key.pem')).mode & 0o077).toBe(0);
  });

  it('prints the token of an existing identity without a message', async () => {
    await run();
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['scope', 'foo:bar', 'no service here uses the scope foo:bar'],
    [
      'tenant',
      'nosuch',
      'the demo data has no tenant nosuch, but acme and globex; pnpm generate-data makes others',
    ],
  ])('prints a token for an unknown %s, with a note', async (flag, value, text) => {
    await run();
    expect(await run(`--${flag}`, value)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+\n$/u),
      stderr: `Note: ${text}\n`,
    });
  });

  it('creates no missing folder', async () => {
    const missing = join(dataRoot, 'missing');
    expect(await run('--data', missing)).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(missing)).toBe(false);
  });
});
