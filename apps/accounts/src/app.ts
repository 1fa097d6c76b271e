import type { TokenVerifier } from '@meridian/auth';
import type { Cursors } from '@meridian/cursors';
import type { Database } from '@meridian/database';
import {
  answerProblems,
  authenticate,
  checkTarget,
  createExpressApp,
  observeRequests,
  problemRenderer,
  requestDeadline,
  requireScope,
  resource,
  routeNotFound,
} from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';
import type { Express } from 'express';

import { createAccountStore } from './accounts/account-store.ts';
import type { AccountTags } from './accounts/account-tags.ts';
import { getAccount } from './routes/accounts/get-account.ts';
import { listAccounts } from './routes/accounts/list-accounts.ts';
import { postAccount } from './routes/accounts/post-account.ts';
import { putAccount } from './routes/accounts/put-account.ts';
import { getTransfer } from './routes/transfers/get-transfer.ts';
import { listTransfers } from './routes/transfers/list-transfers.ts';
import { postTransfer } from './routes/transfers/post-transfer.ts';
import { createWriteOnce } from './store/write-once.ts';
import { createTransferStore } from './transfers/transfer-store.ts';

export interface AppDependencies {
  readonly database: Database;
  readonly tags: AccountTags;
  readonly cursors: Cursors;
  readonly verifier: TokenVerifier;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where `<problemBaseUrl>/problems/<kind>` is served. */
  readonly problemBaseUrl: string;
  readonly requestDeadlineMs: number;
}

/** The accounts service. What a request passes is here, in order. */
export function createApp(dependencies: AppDependencies): Express {
  const { database, tags, cursors, verifier, logger, metrics, problemBaseUrl, requestDeadlineMs } =
    dependencies;
  const accounts = createAccountStore(database);
  const transfers = createTransferStore(database);
  const renderProblem = problemRenderer(problemBaseUrl);
  const writeOnce = createWriteOnce(database, renderProblem);

  const app = createExpressApp();
  app.use(observeRequests({ logger, metrics }));
  app.use(checkTarget);
  app.use(requestDeadline(requestDeadlineMs));

  const authenticated = authenticate(verifier);
  resource(app, '/accounts', {
    GET: [authenticated, requireScope('accounts:read'), listAccounts(accounts, cursors)],
    POST: [authenticated, requireScope('accounts:write'), postAccount(writeOnce, tags)],
  });
  resource(app, '/accounts/:id', {
    GET: [authenticated, requireScope('accounts:read'), getAccount(accounts, tags)],
    PUT: [authenticated, requireScope('accounts:write'), putAccount(accounts, tags)],
  });
  resource(app, '/accounts/:id/transfers', {
    POST: [authenticated, requireScope('transfers:write'), postTransfer(writeOnce)],
  });
  resource(app, '/transfers', {
    GET: [authenticated, requireScope('accounts:read'), listTransfers(transfers, cursors)],
  });
  resource(app, '/transfers/:id', {
    GET: [authenticated, requireScope('accounts:read'), getTransfer(transfers)],
  });

  app.use(routeNotFound);
  app.use(answerProblems({ renderProblem, metrics }));
  return app;
}
