import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { findProcess, isRunning } from '@meridian/processes';
import type { ProcessEntry } from '@meridian/processes';

const preload = new URL('../../src/preload/end-with-launcher.ts', import.meta.url).href;

/** Tells its pid, and ends by SIGTERM only, of which it tells. */
const program = `
  console.log(process.pid);
  process.on('SIGTERM', () => { console.log('told to stop'); process.exit(); });
  setInterval(() => {}, 1000);
`;

/** As npx and pnpm do: starts a command by a shell, and passes no signal on. */
const launcher = `
  const { spawn } = require('node:child_process');
  const child = spawn('sh', ['-c', '"$NODE" --import "$PRELOAD" "$PROGRAM" & wait'], { stdio: 'inherit' });
`;

describe('A program that ends with its launcher', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-launcher-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Has a script of that name start the program. */
  async function launchBy(name: string) {
    await writeFile(join(folder, name), launcher);
    await writeFile(join(folder, 'program.cjs'), program);
    const parent: ChildProcess = spawn(process.execPath, [join(folder, name)], {
      env: {
        ...process.env,
        NODE: process.execPath,
        PRELOAD: preload,
        PROGRAM: join(folder, 'program.cjs'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (parent.stdout === null) {
      throw new Error('The launcher has no output');
    }
    const lines = createInterface({ input: parent.stdout });
    const [pid]: unknown[] = await once(lines, 'line');
    const started: ProcessEntry | undefined = findProcess(Number(pid));
    if (started === undefined) {
      throw new Error('The program does not run');
    }
    return { parent, lines, started };
  }

  it('receives SIGTERM when pnpm was ended, which does not forward the signal', async () => {
    const { parent, lines, started } = await launchBy('pnpm');
    const told = once(lines, 'line');
    const closed = once(lines, 'close');
    parent.kill('SIGTERM');
    expect(await told).toEqual(['told to stop']);
    await closed;
    expect(isRunning(started)).toBe(false);
  });
});
