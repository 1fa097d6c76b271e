import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

/**
 * Node's option for the young generation, in megabytes. Without it Node derives the size from the memory of the
 * container: one with 512 MB gets 1 MB, and its collector takes up to half of the time.
 */
export const youngGenerationOption = '--max-semi-space-size=16';

/** True for that option of Node's, with any size. */
export function isYoungGenerationOption(argument: string): boolean {
  return argument.startsWith('--max-semi-space-size');
}

/** Settings of glibc's allocator; other C libraries do not read them. A variable that is set keeps its value. */
const allocatorVariables = {
  // One heap for all threads. Otherwise each has its own, which keeps what it once needed.
  MALLOC_ARENA_MAX: '1',
  // A larger buffer is a mapping of its own, and returned to the system when it is freed. Otherwise glibc raises the
  // size, up to 32 MB, with each that is freed.
  MALLOC_MMAP_THRESHOLD_: String(2 ** 17),
};

/**
 * Restarts this process with the settings that only its start can have, unless it has the option already. Does nothing
 * on Windows, and in a child with an IPC channel, which a restart would lose: its parent
 * gives it the option.
 */
export function restartWithMemorySettings(): void {
  const { execPath, execArgv, argv, env } = process;
  const given = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(' ')];
  if (given.some(isYoungGenerationOption) || process.connected || process.platform === 'win32') {
    return;
  }
  process.execve?.(execPath, [execPath, youngGenerationOption, ...execArgv, ...argv.slice(1)], {
    ...allocatorVariables,
    ...env,
  });
}

const earlyCollection = [
  // Collects the young generation once new buffers take four times as many megabytes. By default that is at 128, and at
  // 64 V8 collects the whole heap for them: with large responses, that is every second collection.
  '--scavenger-max-new-space-capacity-mb=3',
  // Frees the buffers that a collection found unused before it ends. In another thread, they count as used until the
  // next one.
  '--no-concurrent-array-buffer-sweeping',
  // Collects the whole heap once it has grown by half, with the buffers. By default it grows up to fourfold.
  '--heap-growing-percent=50',
];
/** Other versions may not know the options, and would print an error. */
const knowingV8 = /^13\./;

/** Makes V8 collect garbage earlier than by default, above all buffers. It takes these settings while it runs. */
export function collectGarbageEarly(): void {
  if (knowingV8.test(process.versions.v8)) {
    earlyCollection.forEach((option) => setFlagsFromString(option));
  }
}

/** Makes Node cut buffers of up to 8 kB out of larger ones; its default is 4 kB. To allocate one takes longer than to fill it. */
export function allocateTogether(): void {
  Buffer.poolSize = 2 ** 14;
}
