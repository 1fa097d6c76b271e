import { isDeepStrictEqual } from 'node:util';

import { findManifests } from '@meridian/manifest';
import { RouterConfigError } from '@meridian/router-config';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { logNotes } from '../config/log-notes.ts';
import type { ReloadRules, Reloadable } from './reloadable.ts';
import { createReloadable } from './reloadable.ts';
import type { FilePaths, FileFingerprints } from './watch-files.ts';
import { watchFiles } from './watch-files.ts';

export interface ReloadConfigOptions extends ReloadRules {
  /** The configuration at the start. */
  readonly config: GatewayConfig;
  /** Its files at that time. */
  readonly seen: FileFingerprints;
  readonly read: () => GatewayConfig;
  /** Replaces the configuration by a new one. */
  readonly apply: (next: GatewayConfig) => Promise<void>;
}

/** Settings that need a restart, by their keys. */
const fixedAtStart = [
  ['graphs', 'meridian.graphs'],
  ['listen', 'supergraph.listen'],
  ['admin', 'health_check.listen'],
  ['healthPath', 'health_check.path'],
  ['isHealthPublic', 'health_check.listen'],
  ['scrapes', 'telemetry.exporters.metrics.prometheus'],
  ['isSecure', 'tls.supergraph'],
  ['headLimits', 'limits.http1_max_request_headers, limits.http1_max_request_buf_size, server.http'],
  ['maxHttp2HeadBytes', 'limits.http2_max_headers_list_bytes'],
  ['maxReceivingMs', 'traffic_shaping.router.timeout, for uploads'],
  ['tracing', 'telemetry.exporters.tracing'],
  ['instrumentation', 'telemetry.instrumentation'],
  ['propagation', 'telemetry.exporters.tracing.propagation'],
  ['metricViews', 'telemetry.exporters.metrics.common'],
  ['metricsPush', 'telemetry.exporters.metrics'],
  ['logFormat', 'telemetry.exporters.logging.stdout'],
  ['explain', 'meridian.explain'],
  ['planStores', 'supergraph.query_planning.cache.redis, meridian.plan_cache'],
  ['readiness', 'health_check.readiness'],
  ['usage', 'meridian.usage'],
  ['callbacks', 'subscription.mode.callback.listen, subscription.mode.callback.path'],
] as const satisfies readonly (readonly [keyof GatewayConfig, string])[];

/**
 * Reads the configuration again whenever one of its files changes. A valid one that fails because its supergraph or
 * manifest is invalid or missing is tried again when these change. Settings that need a restart stay as they are, and
 * the log says so.
 */
export function reloadConfig(options: ReloadConfigOptions): Pick<Reloadable, 'close' | 'reload'> {
  const { config, seen, read, apply, ...rules } = options;
  const { logger, checkEveryMs } = rules;
  let current = config;
  let stopWaiting: (() => void) | undefined;
  const reloadable = createReloadable({
    part: 'configuration',
    paths: config.configPaths,
    seen,
    read() {
      stopWaiting?.();
      const next = read();
      rejectEmptied(next, current.emptyPaths);
      logNotes(next, logger);
      // Taken before they are read, so that no change is missed.
      stopWaiting = watchFiles(namedFiles(next), checkEveryMs, () => reloadable.reload());
      return withFixed(next, config, logger);
    },
    async apply(next) {
      await apply(next);
      current = next;
      stopWaiting?.();
    },
    ...rules,
  });
  return {
    reload: reloadable.reload,
    async close() {
      await reloadable.close();
      stopWaiting?.();
    },
  };
}

/**
 * A file that has lost its text was cut short, by a full disk or by a writer that is not done: without it, callers would
 * need no token, and operations no manifest.
 *
 * @param emptyBefore the files that were empty before, as they may stay
 * @throws {RouterConfigError} when another one is empty
 */
export function rejectEmptied({ emptyPaths }: GatewayConfig, emptyBefore: readonly string[]): void {
  const emptied = emptyPaths.filter((path) => !emptyBefore.includes(path));
  if (emptied.length > 0) {
    throw new RouterConfigError(emptied.map((path) => `${path}: the file has become empty`));
  }
}

/** The files that a configuration names, which must be valid for it to take effect. */
function namedFiles({ supergraphPath, manifests }: GatewayConfig): FilePaths {
  return () => [supergraphPath, ...findManifests(manifests?.paths ?? [])];
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
