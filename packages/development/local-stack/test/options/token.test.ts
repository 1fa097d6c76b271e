import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('../../../../../tools/commands/token.ts', import.meta.url));

describe('pnpm run token', () => {
  let dataRoot: string;

  beforeEach(() => {
    dataRoot = mkdtempSync(join(tmpdir(), 'meridian-token-'));
  });

  afterEach(() => rmSync(dataRoot, { recursive: true, force: true }));

  function run(...flags: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [program, '--data', dataRoot, ...flags], { encoding: 'utf8' });
  }

  it('prints only a token on stdout, of an identity that it creates when there is none, and says so on stderr', () => {
    const { status, stdout, stderr } = run(
      '--tenant',
      'globex',
      '--subject',
      'bob',
      '--scope',
      'orders:read',
      '--ttl',
      '5m',
    );
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Note: there was no identity yet, .*; made one in .*identity\n$/),
    });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/u);
    const claims = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ tenant_id: 'globex', sub: 'bob', scope: 'orders:read', aud: 'meridian' });
    expect(claims.exp - claims.iat).toBe(300);
    expect(statSync(join(dataRoot, 'identity', 'private-key.pem')).mode & 0o077).toBe(0);
  });

  it('prints the token of an existing identity without a message', () => {
    run();
    expect(run()).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['scope', 'foo:bar', 'no service here uses the scope foo:bar'],
    [
      'tenant',
      'nosuch',
      'the demo data has no tenant nosuch, but acme and globex; pnpm generate-data makes others',
    ],
  ])('prints a token for an unknown %s, with a note', (flag, value, text) => {
    run();
    expect(run(`--${flag}`, value)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\S+\n$/u),
      stderr: `Note: ${text}\n`,
    });
  });

  it('creates no missing folder', () => {
    const missing = join(dataRoot, 'missing');
    expect(run('--data', missing)).toMatchObject({ status: 2, stdout: '' });
    expect(existsSync(missing)).toBe(false);
  });
});
