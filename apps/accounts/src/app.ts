import { eventsRoute, openEventLog } from '@meridian/events';
import { createCursors, handleStoreErrors, idempotentStatement } from '@meridian/rest';
import {
  handleProblems,
  checkTarget,
  inSequence,
  observeRequests,
  problemRenderer,
  requestDeadline,
} from '@meridian/http';
import { createExpressApp, routeNotFound } from '@meridian/http/express';
import { serveRoutes, withOpenApi } from '@meridian/rest/openapi';
import type { RouteTable } from '@meridian/rest/openapi';
import { tenantThrottle } from '@meridian/service';
import type { ServiceDependencies } from '@meridian/service';
import type { Express } from 'express';

import { createAccountTags } from './accounts/account-tags.ts';
import { apiDescription } from './api-description.ts';
import type { Config } from './config.ts';
import { accountEvents } from './events/account-events.ts';
import { getAccount } from './routes/accounts/get-account.ts';
import { getBalance } from './routes/accounts/get-balance.ts';
import { listAccounts } from './routes/accounts/list-accounts.ts';
import { listEntries } from './routes/accounts/list-entries.ts';
import { postAccount } from './routes/accounts/post-account.ts';
import { putAccount } from './routes/accounts/put-account.ts';
import { getHold } from './routes/holds/get-hold.ts';
import { listHolds } from './routes/holds/list-holds.ts';
import { postCapture } from './routes/holds/post-capture.ts';
import { postHold } from './routes/holds/post-hold.ts';
import { postRelease } from './routes/holds/post-release.ts';
import { getProblemKind } from './routes/problems/get-problem-kind.ts';
import { listProblemKinds } from './routes/problems/list-problem-kinds.ts';
import { getApi } from './routes/root/get-api.ts';
import { getTransfer } from './routes/transfers/get-transfer.ts';
import { listTransfers } from './routes/transfers/list-transfers.ts';
import { postReversal } from './routes/transfers/post-reversal.ts';
import { postTransfer } from './routes/transfers/post-transfer.ts';
import { webhookRoutes } from './routes/webhooks/webhook-routes.ts';
import { createStores } from './store/stores.ts';
import { createTransferTag } from './transfers/transfer-tags.ts';
import type { WebhookSettings } from './webhooks/webhook-settings.ts';

export type AppDependencies = ServiceDependencies &
  Pick<Config, 'etagKeys' | 'cursorKeys' | 'tenantRequestsPerSecond'> & {
    /** Without it, there are no webhooks. */
    readonly webhooks?: WebhookSettings | undefined;
    /** Called with the tenant of each successful write. */
    readonly onWrite?: ((tenantId: string) => void) | undefined;
  };

/** The accounts service, and the steps of a request in their order. */
export function createApp(dependencies: AppDependencies): Express {
  const {
    database,
    verifier,
    limitLoad,
    waitingRequests,
    logger,
    metrics,
    etagKeys,
    cursorKeys,
    problemBaseUrl,
    webhooks,
    onWrite,
  } = dependencies;
  const tags = createAccountTags(etagKeys);
  const cursors = createCursors({ keys: cursorKeys });
  const { accounts, holds, ledger, transfers } = createStores(database);
  const events = openEventLog({ ...dependencies, service: 'accounts' });
  const renderProblem = problemRenderer(problemBaseUrl);
  const idempotentWrite = idempotentStatement({ database, renderProblem });

  const app = createExpressApp();
  app.use(
    inSequence([
      observeRequests({ logger, metrics, requestLogRatio: dependencies.requestLogRatio }),
      checkTarget,
      requestDeadline(dependencies.requestDeadlineMs),
    ]),
  );

  const routes: RouteTable = {
    '/accounts': {
      GET: listAccounts(accounts, cursors),
      POST: postAccount(idempotentWrite, tags),
    },
    '/accounts/:id': {
      GET: getAccount(accounts, tags),
      PUT: putAccount(accounts, tags),
    },
    '/accounts/:id/entries': {
      GET: listEntries(ledger, cursors),
    },
    '/accounts/:id/balance': {
      GET: getBalance(ledger),
    },
    '/accounts/:id/transfers': {
      POST: postTransfer(idempotentWrite),
    },
    '/accounts/:id/holds': {
      GET: listHolds(accounts, holds, cursors),
      POST: postHold(idempotentWrite),
    },
    '/events': {
      GET: eventsRoute({ ...events, source: accountEvents, waitingRequests }),
    },
    '/holds/:id': {
      GET: getHold(holds),
    },
    '/holds/:id/captures': {
      POST: postCapture(idempotentWrite),
    },
    '/holds/:id/releases': {
      POST: postRelease(idempotentWrite),
    },
    '/transfers': {
      GET: listTransfers(transfers, cursors),
    },
    '/transfers/:id': {
      GET: getTransfer(transfers, createTransferTag(etagKeys)),
    },
    '/transfers/:id/reversals': {
      POST: postReversal(idempotentWrite),
    },
    ...(webhooks === undefined ? {} : webhookRoutes({ ...webhooks, database, cursors, renderProblem })),
    '/problems': {
      GET: listProblemKinds(),
    },
    '/problems/:kind': {
      GET: getProblemKind(problemBaseUrl),
    },
  };
  const throttle = tenantThrottle('accounts', dependencies);
  const withPage = { '/': { GET: getApi(routes) }, ...routes };
  serveRoutes(app, withOpenApi(withPage, { ...apiDescription, problemBaseUrl }), {
    verifier,
    throttle,
    limitLoad,
    onWrite(tenantId) {
      events.changes.tell(tenantId);
      onWrite?.(tenantId);
    },
  });

  app.use(routeNotFound);
  app.use(handleStoreErrors('account'));
  app.use(handleProblems({ renderProblem, metrics }));
  return app;
}
