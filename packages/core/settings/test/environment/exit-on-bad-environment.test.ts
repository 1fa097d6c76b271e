import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';

const fixture = fileURLToPath(new URL('bad-environment.fixture.ts', import.meta.url));

describe('exitOnBadEnvironment', () => {
  it('exits 1 with one line for each variable at fault', () => {
    const { status, stdout, stderr } = run({ PORT: 'eighty', ETAG_KEYS: 'hunter2' });
    expect({ status, stdout, lines: stderr.split('\n') }).toEqual({
      status: 1,
      stdout: '',
      lines: [
        'PORT holds "eighty"; it takes a port number from 0 to 65535',
        'ETAG_KEYS holds a secret of another form; it takes secrets of at least 32 characters each, separated by commas',
        '',
      ],
    });
  });

  it('lets a good environment through', () => {
    expect(run({ PORT: '4001', ETAG_KEYS: 'k'.repeat(32) })).toMatchObject({
      status: 0,
      stdout: 'PORT is 4001\n',
    });
  });
});

function run(env: Record<string, string>): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [fixture], { env, encoding: 'utf8' });
}
