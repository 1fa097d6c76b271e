import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from '@jest/globals';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const names = 'accounts, gateway, streams';

describe('pnpm bench', () => {
  it('--help lists the benchmarks', async () => {
    const { code, stdout } = await bench('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: pnpm bench <name> \[flags\]\n/);
    expect(stdout).toMatch(/^ {2}gateway {4}What a federated request costs/m);
  });

  it.each([
    [[], '<name> is missing'],
    [['nothing'], `<name> is "nothing"; it takes ${names}`],
    [['--seconds', '3'], `<name> is "--seconds"; it takes ${names}`],
  ])('refuses %j in one line', async (args, fault) => {
    expect(await bench(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${fault}: see pnpm bench --help\n`,
    });
  });
});

async function bench(...options: readonly string[]): Promise<Ended> {
  return await new Promise((resolve) => {
    const script = join(import.meta.dirname, '../../commands/bench.ts');
    execFile(process.execPath, [script, ...options], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
