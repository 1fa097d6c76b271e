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

/** The names of the hooks of two graphs, and a loop that is blocked for longer than one may take. */
const start = `
import { writeSync } from 'node:fs';
import { HookWatch } from ${JSON.stringify(watchUrl)};
const open = (graph) => new HookWatch(['a hook'], { isJson: true, logger: { bindings: () => ({ graph }), error: () => console.error('not watched') } });
const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

/** Fills its standard output, and blocks. */
const fill = `
process.stdout.on('error', () => {});
try {
  for (;;) writeSync(1, 'x'.repeat(65536));
} catch (error) {
  console.error(error.code);
}
const watch = open('shop');
await pass(1000);
watch.begin(0);
block();
watch.end();
await pass(300);
console.error('goes on');
await watch.close();
process.exit(0);
`;

async function run(program: string, readsOutput: boolean): Promise<readonly [string, string]> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-watch-'));
  try {
    await writeFile(join(folder, 'program.mjs'), start + program);
    const child = spawn(process.execPath, [join(folder, 'program.mjs')], {
      env: { ...compileCache() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, written] = await Promise.all([
      text(child.stderr),
      readsOutput ? text(child.stdout) : '',
      once(child, 'exit'),
    ]);
    return [said, written];
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('A watch that cannot write its line does not end the process', async () => {
  const [said] = await run(fill, false);
  expect(said.trim().split('\n')).toEqual(['EAGAIN', 'goes on']);
});

it.each([
  ['partner.beginWait(0); shop.begin(0);', { graph: 'shop', hooks: ['a hook'] }],
  // The loop is blocked by code after an `await`.
  ['partner.beginWait(0); shop.beginWait(0);', { hooks: ['a hook of shop', 'a hook of partner'] }],
  ['shop.beginWait(0); partner.beginWait(0); await shop.close();', { graph: 'partner', hooks: ['a hook'] }],
])('The watches of two graphs write one line, with the suspects of both: %s', async (code, line) => {
  const [, written] = await run(
    `const shop = open('shop'); const partner = open('partner');
    await pass(1000); ${code} block();
    await Promise.all([shop, partner].map((watch) => watch.close()));`,
    true,
  );
  const { level, time, blockedMs, msg, ...others } = JSON.parse(written) as Record<string, unknown>;
  expect([level, msg, typeof time, typeof blockedMs]).toEqual([
    'error',
    'a hook blocks the event loop',
    'string',
    'number',
  ]);
  expect(others).toEqual(line);
});

it('Hooks that are loaded after a watch has failed are watched again', async () => {
  const [said, written] = await run(
    `new HookWatch({ length: 1 }, { isJson: true, logger: { bindings: () => ({}), error: () => console.error('not watched') } });
    await pass(1000); block(); await pass(300);
    const shop = open('shop');
    await pass(1000); shop.begin(0); block(); process.exit(0);`,
    true,
  );
  expect(said.trim()).toBe('not watched');
  expect(JSON.parse(written)).toMatchObject({ graph: 'shop', hooks: ['a hook'] });
});
