import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from '@jest/globals';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('pnpm bench', () => {
  it('--help lists the benchmarks', async () => {
    const { code, stdout } = await bench('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnpm bench <name> \[options\]\n/);
    expect(stdout).toMatch(/^ {2}gateway {4}What a federated request costs/m);
  });

  it.each([[[]], [['nothing']], [['--seconds', '3']]])(
    'with %j says how it is used, and fails',
    async (options) => {
      const { code, stdout, stderr } = await bench(...options);
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^pnpm bench <name> \[options\]\n/);
      expect(stderr).not.toMatch(/\n {4}at /);
    },
  );

  it('gateway --help says how that one is used', async () => {
    const { code, stdout } = await bench('gateway', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnpm bench gateway /);
  });

  it('gateway with an option that there is not says how it is used, and fails', async () => {
    const { code, stderr } = await bench('gateway', '--minutes', '3');
    expect(code).toBe(1);
    expect(stderr).toMatch(/--minutes.*\npnpm bench gateway /s);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});

async function bench(...options: readonly string[]): Promise<Ended> {
  return await new Promise((resolve) => {
    const script = join(import.meta.dirname, '../../bench.ts');
    execFile(process.execPath, [script, ...options], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
