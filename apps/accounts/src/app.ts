import { createCursors } from '@meridian/cursors';
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
  throttleTenants,
} from '@meridian/http';
import type { ServiceDependencies } from '@meridian/service';
import type { Express } from 'express';

import { createAccountStore } from './accounts/account-store.ts';
import { createAccountTags } from './accounts/account-tags.ts';
import type { Config } from './config.ts';
import { getAccount } from './routes/accounts/get-account.ts';
import { listAccounts } from './routes/accounts/list-accounts.ts';
import { postAccount } from './routes/accounts/post-account.ts';
import { putAccount } from './routes/accounts/put-account.ts';
import { getTransfer } from './routes/transfers/get-transfer.ts';
import { listTransfers } from './routes/transfers/list-transfers.ts';
import { postTransfer } from './routes/transfers/post-transfer.ts';
import { createWriteOnce } from './store/write-once.ts';
import { createTransferStore } from './transfers/transfer-store.ts';

export type AppDependencies = ServiceDependencies &
  Pick<Config, 'etagKeys' | 'cursorKeys' | 'tenantRequestsPerSecond'>;

/** The accounts service. What a request passes is here, in order. */
export function createApp(dependencies: AppDependencies): Express {
  const { database, verifier, logger, metrics, etagKeys, cursorKeys } = dependencies;
  const tags = createAccountTags(etagKeys);
  const cursors = createCursors({ keys: cursorKeys });
  const accounts = createAccountStore(database);
  const transfers = createTransferStore(database);
  const renderProblem = problemRenderer(dependencies.problemBaseUrl);
  const writeOnce = createWriteOnce(database, renderProblem);

  const app = createExpressApp();
  app.use(observeRequests({ logger, metrics }));
  app.use(checkTarget);
  app.use(requestDeadline(dependencies.requestDeadlineMs));

  const authenticated = authenticate(verifier);
  const throttled = throttleTenants(dependencies.tenantRequestsPerSecond);
  resource(app, '/accounts', {
    GET: [authenticated, requireScope('accounts:read'), throttled, listAccounts(accounts, cursors)],
    POST: [authenticated, requireScope('accounts:write'), throttled, postAccount(writeOnce, tags)],
  });
  resource(app, '/accounts/:id', {
    GET: [authenticated, requireScope('accounts:read'), throttled, getAccount(accounts, tags)],
    PUT: [authenticated, requireScope('accounts:write'), throttled, putAccount(accounts, tags)],
  });
  resource(app, '/accounts/:id/transfers', {
    POST: [authenticated, requireScope('transfers:write'), throttled, postTransfer(writeOnce)],
  });
  resource(app, '/transfers', {
    GET: [authenticated, requireScope('accounts:read'), throttled, listTransfers(transfers, cursors)],
  });
  resource(app, '/transfers/:id', {
    GET: [authenticated, requireScope('accounts:read'), throttled, getTransfer(transfers)],
  });

  app.use(routeNotFound);
  app.use(answerProblems({ renderProblem, metrics }));
  return app;
}
