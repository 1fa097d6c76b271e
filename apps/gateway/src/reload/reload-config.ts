import { isDeepStrictEqual } from 'node:util';

import { findManifests } from '@meridian/manifest';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { logNotes } from '../config/log-notes.ts';
import { createSerialQueue } from '../concurrency/serial-queue.ts';
import type { ReloadOutcome } from '../telemetry/reload-metrics.ts';
import type { FilePaths, FileFingerprints } from './watch-files.ts';
import { watchFiles } from './watch-files.ts';

export interface ReloadConfigOptions {
  /** The configuration at the start. */
  readonly config: GatewayConfig;
  /** Its files at that time. */
  readonly seen: FileFingerprints;
  readonly read: () => GatewayConfig;
  /** Replaces the configuration by a new one. */
  readonly apply: (next: GatewayConfig) => Promise<void>;
  /** Called after each attempt to load a changed file. */
  readonly onReload: (outcome: ReloadOutcome) => void;
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
  /** The interval between checks of the files, in milliseconds. */
  readonly checkEveryMs: number;
}

/** Settings that need a restart, by their keys. */
const fixedAtStart = [
  ['listen', 'supergraph.listen'],
  ['admin', 'health_check.listen'],
  ['healthPath', 'health_check.path'],
  ['isHealthPublic', 'health_check.listen'],
  ['scrapes', 'telemetry.exporters.metrics.prometheus'],
  ['tracing', 'telemetry.exporters.tracing'],
  ['explain', 'meridian.explain'],
  ['planStores', 'supergraph.query_planning.cache.redis, meridian.plan_cache'],
  ['usage', 'meridian.usage'],
] as const satisfies readonly (readonly [keyof GatewayConfig, string])[];

/**
 * Reads the configuration again whenever one of its files changes. An invalid one is rejected, with its faults in the
 * log, and the previous one stays. A valid one that fails because its supergraph or manifest is invalid or missing is
 * tried again when these change. Settings that need a restart stay too, and the log says so.
 */
export function reloadConfig(options: ReloadConfigOptions): { close(): Promise<void> } {
  const { config, seen, read, apply, onReload, logger, checkEveryMs } = options;
  const queue = createSerialQueue();
  const onChange = (): void => void queue(reload);
  let stopWaiting: (() => void) | undefined;
  const reload = async (): Promise<void> => {
    stopWaiting?.();
    try {
      const next = read();
      logNotes(next, logger);
      // Taken before they are read, so that no change is missed.
      stopWaiting = watchFiles(namedFiles(next), checkEveryMs, onChange);
      await apply(withFixed(next, config, logger));
    } catch (error) {
      logger.error({ err: error }, 'invalid configuration rejected; keeping the previous one');
      onReload('error');
      return;
    }
    onReload('success');
    stopWaiting?.();
    logger.info('configuration reloaded');
  };
  const stopWatching = watchFiles(config.configPaths, checkEveryMs, onChange, seen);
  return {
    async close() {
      stopWatching();
      await queue(() => Promise.resolve());
      stopWaiting?.();
    },
  };
}

/** The files that a configuration names, which must be valid for it to take effect. */
function namedFiles({ supergraphPath, persistedQueries }: GatewayConfig): FilePaths {
  return () => [supergraphPath, ...findManifests(persistedQueries?.manifestPaths ?? [])];
}

function withFixed(next: GatewayConfig, started: GatewayConfig, logger: Pick<Logger, 'warn'>): GatewayConfig {
  const kept: Partial<GatewayConfig> = {};
  for (const [name, key] of fixedAtStart) {
    if (!isDeepStrictEqual(next[name], started[name])) {
      logger.warn({ key }, 'a change of this key takes effect after a restart');
    }
    Object.assign(kept, { [name]: started[name] });
  }
  return { ...next, ...kept };
}
