import process from 'node:process';

import { createTokenVerifier } from '@meridian/auth';
import { exitOnBadEnvironment } from '@meridian/config';
import { createCursors } from '@meridian/cursors';
import { connectDatabase } from '@meridian/database';
import { problemRenderer, runService, stopOnSignals } from '@meridian/http';
import { createLogger, createMetrics } from '@meridian/telemetry';

import { createAccountTags } from './accounts/account-tags.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const config = exitOnBadEnvironment(() => readConfig(process.env));
const logger = createLogger({ service: 'accounts' });
const metrics = createMetrics({ service: 'accounts' });
const database = connectDatabase({
  url: config.databaseUrl,
  applicationName: 'accounts',
  poolSize: 10,
  statementTimeoutMs: config.statementTimeoutMs,
  logger,
});
const verifier = createTokenVerifier({
  issuers: config.issuers,
  onJwksFailure: ({ issuer, error }) =>
    logger.warn({ issuer, err: error }, 'the keys of an issuer cannot be had'),
});

const service = await runService({
  name: 'accounts',
  logger,
  metrics,
  listen: config.listen,
  admin: config.admin,
  handler: createApp({
    ...config,
    database,
    tags: createAccountTags(config.etagKeys),
    cursors: createCursors({ keys: config.cursorKeys }),
    verifier,
    logger,
    metrics,
  }),
  renderProblem: problemRenderer(config.problemBaseUrl),
  isReady: (signal) => database.ping({ signal }),
  async close() {
    verifier.close();
    await database.close();
  },
  shutdownGraceMs: config.shutdownGraceMs,
});
stopOnSignals(service, logger);
