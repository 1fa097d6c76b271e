import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { Logger } from '@meridian/telemetry';

import type { WatchThreadData } from './watch-hooks.ts';
import { beatMs, watchedPlaces } from './watched-places.ts';

const program = new URL(`./watch-hooks${extname(import.meta.url)}`, import.meta.url);

/**
 * Watches that hooks do not block the event loop. A thread does, since nothing on a blocked loop can: it names the hook
 * that runs, or else those that are under way, on standard output.
 */
export class HookWatch {
  readonly #memory: Int32Array;
  readonly #worker: Worker;
  readonly #beats: NodeJS.Timeout;

  constructor(names: readonly string[], { isJson, logger }: { isJson: boolean; logger: Logger }) {
    const memory = new SharedArrayBuffer(4 * (watchedPlaces.pending + names.length));
    const workerData: WatchThreadData = { memory, names, isJson, members: logger.bindings() };
    this.#memory = new Int32Array(memory);
    this.#worker = new Worker(program, { workerData });
    this.#worker.on('error', (error) => logger.error({ err: error }, 'hooks are no longer watched'));
    this.#worker.unref();
    this.#beats = setInterval(() => {
      Atomics.add(this.#memory, watchedPlaces.beats, 1);
    }, beatMs).unref();
  }

  /** Called around the part of a hook that runs at once. */
  begin(hook: number): void {
    this.#memory[watchedPlaces.running] = hook + 1;
  }

  end(): void {
    this.#memory[watchedPlaces.running] = 0;
  }

  /** Called around the time for which a hook waits. */
  beginWait(hook: number): void {
    this.#memory[watchedPlaces.pending + hook]! += 1;
  }

  endWait(hook: number): void {
    this.#memory[watchedPlaces.pending + hook]! -= 1;
  }

  async close(): Promise<void> {
    clearInterval(this.#beats);
    await this.#worker.terminate();
  }
}
