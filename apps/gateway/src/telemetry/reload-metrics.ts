import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

import type { ReloadOutcome, ReloadedPart } from '../reload/reloadable.ts';

/** The files in force. */
export interface RunningState {
  /** SHA-256 of the files of each part, in hexadecimal digits; undefined for a part that is not there. */
  readonly hashes: Readonly<Record<ReloadedPart, string | undefined>>;
  readonly manifestOperations: number;
  /** Operations of the manifest that the supergraph, the limits or the safelist's rules reject. */
  readonly unrunnableOperations: number;
}

const parts: readonly ReloadedPart[] = ['configuration', 'manifest', 'supergraph'];

/** Registers metrics of reloads: once for a process. */
export function createReloadMetrics({ registry }: Metrics) {
  const registers = [registry];
  const reloads = new Counter({
    name: 'meridian_reload_total',
    help: 'Changed files that were loaded (success) or rejected (error), by their content.',
    labelNames: ['what', 'outcome'],
    registers,
  });
  for (const what of parts) {
    // Present from the start: `increase` does not see the first count of a sample that was not there.
    reloads.inc({ what, outcome: 'success' }, 0);
    reloads.inc({ what, outcome: 'error' }, 0);
  }
  return {
    countReload: (part: ReloadedPart, outcome: ReloadOutcome): void => reloads.inc({ what: part, outcome }),
    /** Registers the running files, which `read` returns at each scrape: once for a process. */
    watchRunning: (read: () => RunningState): void => {
      void new Gauge({
        name: 'meridian_running_info',
        help: 'The running supergraph, manifest and configuration, by the SHA-256 of their files.',
        labelNames: ['what', 'hash'],
        registers,
        collect() {
          this.reset();
          const { hashes } = read();
          for (const what of parts) {
            const hash = hashes[what];
            if (hash !== undefined) {
              this.set({ what, hash }, 1);
            }
          }
        },
      });
      void new Gauge({
        name: 'meridian_manifest_operations',
        help: 'Operations of the manifest.',
        registers,
        collect() {
          this.set(read().manifestOperations);
        },
      });
      void new Gauge({
        name: 'meridian_manifest_unrunnable_operations',
        help: 'Operations of the manifest that the gateway currently rejects.',
        registers,
        collect() {
          this.set(read().unrunnableOperations);
        },
      });
    },
  };
}
