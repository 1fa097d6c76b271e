import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Ports that stay the same while the processes that serve them change. */
export type Relay = Awaited<ReturnType<typeof openRelay>>;

/** Given to the thread. */
export interface RelayedPorts {
  readonly ports: readonly number[];
  /** Where each port leads, in the same order; 0 until that is known. Shared with the thread. */
  readonly targets: Int32Array<SharedArrayBuffer>;
}

/**
 * Listens at ports of 127.0.0.1. It does so in a thread, because composition keeps the main thread busy for longer than a
 * request may take.
 */
export async function openRelay(ports: readonly number[]) {
  const targets = new Int32Array(new SharedArrayBuffer(ports.length * Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(new URL('./relay-thread.ts', import.meta.url), {
    workerData: { ports, targets } satisfies RelayedPorts,
    execArgv: [],
  });
  await once(thread, 'message');
  return {
    /** From now on, new connections to a port go to another one. Those that are open stay where they are. */
    direct(port: number, to: number): void {
      Atomics.store(targets, ports.indexOf(port), to);
    },
    async close(): Promise<void> {
      await thread.terminate();
    },
  };
}
