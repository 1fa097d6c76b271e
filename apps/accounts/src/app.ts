import { createEventCursors, createEventWatch, eventsRoute, openChanges } from '@meridian/events';
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
import { route, serveRoutes, withOpenApi } from '@meridian/rest/openapi';
import type { RouteTable } from '@meridian/rest/openapi';
import { tenantThrottle } from '@meridian/service';
import type { ServiceDependencies } from '@meridian/service';
import type { Express } from 'express';

import { createAccountTags } from './accounts/account-tags.ts';
import { apiDescription } from './api-description.ts';
import type { Config } from './config.ts';
import { accountEvents } from './events/account-events.ts';
import { getAccount, getAccountOperation } from './routes/accounts/get-account.ts';
import { getBalance, getBalanceOperation } from './routes/accounts/get-balance.ts';
import { listAccounts, listAccountsOperation } from './routes/accounts/list-accounts.ts';
import { listEntries, listEntriesOperation } from './routes/accounts/list-entries.ts';
import { postAccount, postAccountOperation } from './routes/accounts/post-account.ts';
import { putAccount, putAccountOperation } from './routes/accounts/put-account.ts';
import { getHold, getHoldOperation } from './routes/holds/get-hold.ts';
import { listHolds, listHoldsOperation } from './routes/holds/list-holds.ts';
import { postCapture, postCaptureOperation } from './routes/holds/post-capture.ts';
import { postHold, postHoldOperation } from './routes/holds/post-hold.ts';
import { postRelease, postReleaseOperation } from './routes/holds/post-release.ts';
import { getProblemKind, getProblemKindOperation } from './routes/problems/get-problem-kind.ts';
import { listProblemKinds, listProblemKindsOperation } from './routes/problems/list-problem-kinds.ts';
import { getApi, getApiOperation } from './routes/root/get-api.ts';
import { getTransfer, getTransferOperation } from './routes/transfers/get-transfer.ts';
import { listTransfers, listTransfersOperation } from './routes/transfers/list-transfers.ts';
import { postReversal, postReversalOperation } from './routes/transfers/post-reversal.ts';
import { postTransfer, postTransferOperation } from './routes/transfers/post-transfer.ts';
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
  const { accounts, events, holds, ledger, transfers } = createStores(database);
  const changes = openChanges({ ...dependencies, service: 'accounts' });
  const watch = createEventWatch({ ...dependencies, store: events, changes });
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
      GET: route(listAccountsOperation, listAccounts(accounts, cursors)),
      POST: route(postAccountOperation, postAccount(idempotentWrite, tags)),
    },
    '/accounts/:id': {
      GET: route(getAccountOperation, getAccount(accounts, tags)),
      PUT: route(putAccountOperation, putAccount(accounts, tags)),
    },
    '/accounts/:id/entries': {
      GET: route(listEntriesOperation, listEntries(ledger, cursors)),
    },
    '/accounts/:id/balance': {
      GET: route(getBalanceOperation, getBalance(ledger)),
    },
    '/accounts/:id/transfers': {
      POST: route(postTransferOperation, postTransfer(idempotentWrite)),
    },
    '/accounts/:id/holds': {
      GET: route(listHoldsOperation, listHolds(accounts, holds, cursors)),
      POST: route(postHoldOperation, postHold(idempotentWrite)),
    },
    '/events': {
      GET: eventsRoute({
        source: accountEvents,
        store: events,
        watch,
        waitingRequests,
        cursors: createEventCursors(cursors),
      }),
    },
    '/holds/:id': {
      GET: route(getHoldOperation, getHold(holds)),
    },
    '/holds/:id/captures': {
      POST: route(postCaptureOperation, postCapture(idempotentWrite)),
    },
    '/holds/:id/releases': {
      POST: route(postReleaseOperation, postRelease(idempotentWrite)),
    },
    '/transfers': {
      GET: route(listTransfersOperation, listTransfers(transfers, cursors)),
    },
    '/transfers/:id': {
      GET: route(getTransferOperation, getTransfer(transfers, createTransferTag(etagKeys))),
    },
    '/transfers/:id/reversals': {
      POST: route(postReversalOperation, postReversal(idempotentWrite)),
    },
    ...(webhooks === undefined ? {} : webhookRoutes({ ...webhooks, database, cursors, renderProblem })),
    '/problems': {
      GET: route(listProblemKindsOperation, listProblemKinds()),
    },
    '/problems/:kind': {
      GET: route(getProblemKindOperation, getProblemKind(problemBaseUrl)),
    },
  };
  const throttle = tenantThrottle('accounts', dependencies);
  const withPage = { '/': { GET: route(getApiOperation, getApi(routes)) }, ...routes };
  serveRoutes(app, withOpenApi(withPage, { ...apiDescription, problemBaseUrl }), {
    verifier,
    throttle,
    limitLoad,
    onWrite(tenantId) {
      changes.tell(tenantId);
      onWrite?.(tenantId);
    },
  });

  app.use(routeNotFound);
  app.use(handleStoreErrors('account'));
  app.use(handleProblems({ renderProblem, metrics }));
  return app;
}
