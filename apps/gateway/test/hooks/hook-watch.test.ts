// The thread that watches hooks, in a process whose output nothing reads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { expect, it } from '@jest/globals';
import { compileCache } from '@meridian/testing';

const watchUrl = new URL('../../src/hooks/hook-watch.ts', import.meta.url).href;

/** Fills its standard output, and blocks for longer than a hook may. */
const program = `
import { writeSync } from 'node:fs';
import { HookWatch } from ${JSON.stringify(watchUrl)};
process.stdout.on('error', () => {});
try {
  for (;;) writeSync(1, 'x'.repeat(65536));
} catch (error) {
  console.error(error.code);
}
const watch = new HookWatch(['a hook'], { isJson: true, logger: { bindings: () => ({}), error: () => console.error('not watched') } });
await new Promise((resolve) => setTimeout(resolve, 1000));
watch.begin(0);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
watch.end();
await new Promise((resolve) => setTimeout(resolve, 300));
console.error('goes on');
await watch.close();
process.exit(0);
`;

it('A watch that cannot write its line does not end the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-watch-'));
  try {
    await writeFile(join(folder, 'program.mjs'), program);
    const child = spawn(process.execPath, [join(folder, 'program.mjs')], {
      env: { ...compileCache() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said.trim().split('\n')).toEqual(['EAGAIN', 'goes on']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
