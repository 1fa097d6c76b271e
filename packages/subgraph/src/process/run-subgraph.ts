import type { RequestListener } from 'node:http';
import process from 'node:process';

import { createTokenVerifier } from '@meridian/auth';
import { assertServiceRole, connectDatabase, type Database, UnsafeServiceRole } from '@meridian/database';
import { ListenError, problemRenderer, runService, stopOnSignals } from '@meridian/http';
import { createLogger, createMetrics, type Logger } from '@meridian/telemetry';

import { SchemaError } from '../schema/schema-error.ts';
import type { SubgraphHosting } from '../server/create-subgraph.ts';
import type { SubgraphConfig } from './subgraph-config.ts';

/** What an app is made from. */
export interface SubgraphDependencies extends SubgraphHosting {
  readonly database: Database;
}

/**
 * Runs a subgraph as this process, until it is told to stop. A schema that its resolvers do not fit, a database role that
 * row-level security would not hold, or a port in use ends the process with exit code 1 and the reason on standard error.
 *
 * @param name of the service, in logs, in metrics and to the database
 */
export async function runSubgraph(
  name: string,
  config: SubgraphConfig,
  createApp: (dependencies: SubgraphDependencies) => Promise<RequestListener>,
): Promise<void> {
  const logger = createLogger({ service: name });
  const metrics = createMetrics({ service: name });
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: name,
    poolSize: 10,
    statementTimeoutMs: config.statementTimeoutMs,
    logger,
  });
  const verifier = createTokenVerifier({
    issuers: config.issuers,
    onJwksFailure: ({ issuer, error }) =>
      logger.warn({ issuer, err: error }, 'the keys of an issuer cannot be had'),
  });

  try {
    await refuseUnsafeRole(database, logger);
    const service = await runService({
      ...config,
      name,
      logger,
      metrics,
      handler: await createApp({ ...config, database, verifier, logger, metrics }),
      renderProblem: problemRenderer(config.problemBaseUrl),
      isReady: (signal) => database.ping({ signal }),
      async close() {
        verifier.close();
        await database.close();
      },
    });
    stopOnSignals(service, logger);
  } catch (error) {
    if (!startFailures.some((failure) => error instanceof failure)) throw error;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** What whoever starts the process can do something about; for these a stack says nothing more. */
const startFailures = [SchemaError, UnsafeServiceRole, ListenError];

/** A store that cannot be asked yet does not keep the service from starting: until it answers, the service is not ready. */
async function refuseUnsafeRole(database: Database, logger: Logger): Promise<void> {
  try {
    await assertServiceRole(database);
  } catch (error) {
    if (error instanceof UnsafeServiceRole) throw error;
    logger.warn({ err: error }, 'the role of this service cannot be checked yet');
  }
}
