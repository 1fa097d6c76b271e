import type { Cursors } from '@meridian/cursors';
import { callerOf, negotiate, signalOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { RequestHandler } from 'express';

import type { AccountStore } from '../../accounts/account-store.ts';
import { accountRepresentations } from '../../accounts/representations.ts';
import { keysetPage } from '../../pages/keyset-page.ts';
import { pageRequestOf } from '../../pages/page-request.ts';
import { sendPage } from '../../pages/send-page.ts';

/**
 * `GET /accounts`: pages by creation time, then identifier, both descending.
 * Spec: Resource conventions, Collection.
 */
export function listAccounts(accounts: AccountStore, cursors: Cursors): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    if (negotiate(request.headers.accept, ['application/json']) === undefined) {
      throw problem('not-acceptable', 'A page of accounts is available as application/json.');
    }
    const asked = pageRequestOf(request);
    const scope = { tenantId, collection: '/accounts', filter: '' };

    const page = await keysetPage({
      cursors,
      scope,
      asked,
      load: (behind, limit) => accounts.list(tenantId, { behind, limit }, signalOf(request)),
      write: (account) => accountRepresentations['application/json'].write(account),
    });
    sendPage(request, response, page);
  };
}
