import type { RunningService, ServerCertificate } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { watchFiles } from './watch-files.ts';

export interface FollowCertificateOptions {
  readonly config: GatewayConfig;
  /** Reads the configuration again, with the files that it names. */
  readonly read: () => GatewayConfig;
  readonly service: RunningService;
  readonly logger: Logger;
  /** The interval between checks of files for changes, in milliseconds. Default: 1000. */
  readonly checkEveryMs?: number;
}

/**
 * Replaces the certificate for clients when its files change: new connections get it. One that cannot be used is
 * rejected, with a log line, and the previous one stays. Nothing else of the configuration is replaced, so that
 * subscriptions go on.
 */
export function followCertificate({
  config,
  read,
  service,
  logger,
  checkEveryMs = 1000,
}: FollowCertificateOptions): RunningService {
  if (config.tls === undefined) {
    return service;
  }
  let current: ServerCertificate = config.tls;
  const check = (): void => {
    try {
      const { tls } = read();
      if (tls !== undefined && (tls.certificate !== current.certificate || tls.key !== current.key)) {
        service.replaceCertificate?.(tls);
        current = tls;
        logger.info('certificate reloaded');
      }
    } catch (error) {
      logger.error({ err: error }, 'certificate not reloaded; keeping the previous one');
    }
  };
  const stopWatching = watchFiles([...config.configPaths, ...config.expandedFiles], checkEveryMs, check);
  // A file may have changed since the configuration was read.
  check();
  return {
    ...service,
    async stop() {
      stopWatching();
      await service.stop();
    },
  };
}
