import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-storefront-main-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe('pnpm storefront', () => {
  it('says in one line which port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as AddressInfo;
      const inUse = {
        exitCode: 1,
        stderr: `Cannot listen on 127.0.0.1:${port}: the port is in use by another process\n`,
      };
      expect(await run({ PORT: String(port) })).toEqual(inUse);
      expect(await run({ PORT: '1' }, ['--port', String(port)])).toEqual(inUse);
    } finally {
      other.close();
    }
  });
});

function run(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<{ exitCode: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['apps/storefront/src/main.ts', ...flags],
      {
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
        env: { ...process.env, DEVELOPMENT_IDENTITY_PATH: join(directory, 'identity'), ...env },
      },
      (_error, _stdout, stderr) => resolve({ exitCode: child.exitCode, stderr }),
    );
  });
}
