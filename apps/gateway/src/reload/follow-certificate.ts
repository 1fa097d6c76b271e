import type { RunningService, ServerCertificate } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { watchFiles } from './watch-files.ts';

interface FollowOptions {
  readonly config: GatewayConfig;
  /** Reads the configuration again, with the files that it names. */
  readonly read: () => GatewayConfig;
  readonly logger: Logger;
  /** The interval between checks of files for changes, in milliseconds. Default: 1000. */
  readonly checkEveryMs?: number;
}

export interface FollowCertificatesOptions extends FollowOptions {
  /** The side that they are for, for the log. */
  readonly of: string;
  /** Takes the certificates of a configuration; true when they are others than before. */
  readonly take: (next: GatewayConfig) => boolean;
}

/**
 * Takes certificates again when their files change: new connections get them. Those that cannot be used are rejected,
 * with a log line, and the previous ones stay. Nothing else of the configuration is replaced, so that subscriptions go
 * on. The returned function ends this.
 */
export function followCertificates({
  of,
  config,
  read,
  take,
  logger,
  checkEveryMs = 1000,
}: FollowCertificatesOptions): () => void {
  let latest = config;
  let failure: string | undefined;
  const check = (): void => {
    try {
      latest = read();
      if (take(latest)) {
        logger.info({ of }, 'certificate reloaded');
      }
      failure = undefined;
    } catch (error) {
      if (failure !== String(error)) {
        logger.error({ of, err: error }, 'certificate not reloaded; keeping the previous one');
      }
      failure = String(error);
    }
  };
  const stop = watchFiles(() => [...latest.configPaths, ...latest.expandedFiles], checkEveryMs, check);
  // A file may have changed since the configuration was read.
  check();
  // The files that a configuration names are known once it can be read: until then, it is read again.
  const retries = setInterval(() => failure !== undefined && check(), checkEveryMs).unref();
  return () => {
    stop();
    clearInterval(retries);
  };
}

/** Replaces the certificate for clients when its files change. */
export function followCertificate({
  service,
  ...options
}: FollowOptions & { readonly service: RunningService }): RunningService {
  const { config } = options;
  if (config.tls === undefined) {
    return service;
  }
  let current: ServerCertificate = config.tls;
  const stopFollowing = followCertificates({
    ...options,
    of: 'clients',
    take({ tls }) {
      if (tls === undefined || (tls.certificate === current.certificate && tls.key === current.key)) {
        return false;
      }
      service.replaceCertificate?.(tls);
      current = tls;
      return true;
    },
  });
  return {
    ...service,
    async stop() {
      stopFollowing();
      await service.stop();
    },
  };
}
