import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { Logger } from '@meridian/telemetry';

import type { WatchMessage } from './watch-hooks.ts';
import { beatMs, watchedPlaces } from './watched-places.ts';

const program = new URL(`./watch-hooks${extname(import.meta.url)}`, import.meta.url);

/** The thread that watches the hooks of all graphs: no other one knows which hook runs. */
interface WatchThread {
  readonly worker: Worker;
  readonly watches: Set<HookWatch>;
}

let thread: WatchThread | undefined;

/**
 * Watches that the hooks of a graph do not block the event loop. A thread does, since nothing on a blocked loop can: it
 * names the hook that runs, or else those that are under way, on standard output.
 */
export class HookWatch {
  readonly #memory: Int32Array;
  readonly #key: number;
  readonly #thread: WatchThread;

  constructor(names: readonly string[], { isJson, logger }: { isJson: boolean; logger: Logger }) {
    const memory = new SharedArrayBuffer(4 * (watchedPlaces.pending + names.length));
    this.#memory = new Int32Array(memory);
    this.#key = nextKey += 1;
    this.#thread = thread ??= openThread(logger);
    this.#thread.watches.add(this);
    this.#send({ key: this.#key, watched: { memory, names, isJson, members: logger.bindings() } });
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
    const { worker, watches } = this.#thread;
    watches.delete(this);
    if (watches.size > 0) {
      this.#send({ key: this.#key });
      return;
    }
    if (thread === this.#thread) {
      thread = undefined;
    }
    await worker.terminate();
  }

  #send(message: WatchMessage): void {
    this.#thread.worker.postMessage(message, []);
  }
}

let nextKey = 0;

function openThread(logger: Logger): WatchThread {
  const memory = new SharedArrayBuffer(4);
  const worker = new Worker(program, { workerData: memory });
  const cells = new Int32Array(memory);
  const beats = setInterval(() => void Atomics.add(cells, 0, 1), beatMs).unref();
  const opened = { worker, watches: new Set<HookWatch>() };
  worker.on('error', (error) => logger.error({ err: error }, 'hooks are no longer watched'));
  worker.on('exit', () => {
    clearInterval(beats);
    // The next hooks have another thread, also where this one has failed.
    if (thread === opened) {
      thread = undefined;
    }
  });
  worker.unref();
  return opened;
}
