import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';

import { checkout } from '../../src/data-directory.ts';

const command = join(checkout, 'tools/commands/citus.ts');

it('pnpm citus start runs a cluster until pnpm citus stop', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-citus-'));
  const run = (...args: readonly string[]) =>
    spawn(process.execPath, [command, ...args, '--dir', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const start = run('start', '--workers', '1', '--port', String(await findFreePort()));
  const exited = once(start, 'exit');
  let printed = '';
  for await (const text of start.stdout) {
    printed += String(text);
    if (printed.includes('ends the cluster')) {
      break;
    }
  }
  const stop = run('stop');
  const [lines, [code]] = await Promise.all([stop.stdout.toArray(), exited]);
  await rm(directory, { recursive: true });
  expect({ stop: lines.join(''), code }).toEqual({ stop: 'Stopped\n', code: 0 });
});
