import process from 'node:process';

import { EnvironmentError } from '@meridian/config';
import { ListenError, runService, stopOnSignals } from '@meridian/http';
import { RouterConfigError } from '@meridian/router-config';
import { createLogger, createMetrics } from '@meridian/telemetry';

import { readConfig } from './config.ts';
import { openGateway } from './gateway.ts';
import { healthRoute } from './health-route.ts';
import { ManifestError } from './manifest/manifest.ts';
import { createRenderProblem } from './render-problem.ts';
import { SupergraphError } from './supergraph/load-supergraph.ts';

/** What whoever starts the gateway can put right, and needs a line about rather than a stack. */
const startFaults = [EnvironmentError, ListenError, ManifestError, RouterConfigError, SupergraphError];

try {
  await start();
} catch (error) {
  if (!(error instanceof Error) || !startFaults.some((fault) => error instanceof fault)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger({ service: 'gateway' });
  const metrics = createMetrics({ service: 'gateway' });
  for (const note of config.notes) {
    logger.warn({ note }, 'router.yaml');
  }
  const gateway = await openGateway({
    config,
    readConfig: () => readConfig(process.env),
    logger,
    metrics,
  });
  const service = await runService({
    name: 'gateway',
    logger,
    metrics,
    listen: config.listen,
    admin: config.admin,
    handler: gateway.handler,
    renderProblem: createRenderProblem(logger),
    // It does not listen before it has a supergraph, and never lets go of one.
    isReady: () => Promise.resolve(),
    adminRoutes: { ...healthRoute(config.healthPath), ...gateway.adminRoutes },
    close: gateway.close,
    shutdownGraceMs: config.shutdownGraceMs,
  });
  stopOnSignals(service, logger);
}
