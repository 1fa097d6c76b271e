// `pnpm gateway`: the gateway alone, over any supergraph. By its own entry, which an image runs without this folder. Its
// modules and their JavaScript are kept for the next start.
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
module.enableCompileCache();
await import('../../apps/gateway/src/main.ts');
