import type { ProcessRecord } from './process-record.ts';
import { startProgram } from './program.ts';
import type { Program } from './program.ts';
import type { Running } from './supervise.ts';
import { untilReady } from './until-ready.ts';

/** A start takes seconds on two busy cores; one that takes this long hangs. */
const startTimeoutMs = 60_000;

/** Longer than a service's own grace (`SHUTDOWN_GRACE_MS`, 10 s). */
const stopTimeoutMs = 12_000;

/** Starts a service. Its admin port reports when it is ready. */
export async function startService(
  program: Program,
  adminPort: number,
  record: ProcessRecord,
): Promise<Running> {
  const { child, ended } = await startProgram(program, record);
  const kill = (): boolean => child.kill('SIGKILL');
  const over = new AbortController();
  const timeout = setTimeout(kill, startTimeoutMs);
  const ready = untilReady(adminPort, over.signal).then(() => clearTimeout(timeout));
  return {
    // The wait ends when the service has ended.
    ready: new Promise((resolve) => void ready.then(resolve, () => undefined)),
    ended: ended.then(({ how }) => {
      clearTimeout(timeout);
      over.abort();
      return how;
    }),
    async stop() {
      child.kill('SIGTERM');
      const timeout = setTimeout(kill, stopTimeoutMs);
      await ended;
      clearTimeout(timeout);
    },
    kill,
  };
}
