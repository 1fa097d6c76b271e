#!/usr/bin/env node
// The program `meridian-gateway` of the npm package. It checks the version of Node before it imports anything.
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`meridian-gateway needs Node 22.19 or later; this is ${process.version}\n`);
  process.exit(1);
}

// Threads and worker processes take the cache from the environment.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
module.enableCompileCache();

const args = process.argv.slice(2);
const isCommand = ['compose', 'check', 'plan', 'explain', '--version', '--help'].some((word) =>
  args.includes(word),
);
if (!isCommand) {
  const { restartWithMemorySettings } = await import('./program/memory-settings.ts');
  restartWithMemorySettings();
}

const { runProgram } = await import('./program/run-program.ts');
await runProgram(args);
