import type { CursorScope, Cursors } from '@meridian/cursors';
import { callerOf, negotiate, signalOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { RequestHandler } from 'express';

import type { AccountPosition, AccountStore } from '../../accounts/account-store.ts';
import { accountRepresentations } from '../../accounts/representations.ts';
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
    const { limit, cursor } = pageRequestOf(request);
    const scope = { tenantId, collection: '/accounts', filter: '' };
    const behind = cursor === undefined ? undefined : positionOf(cursors, scope, cursor);

    // One more than the page tells whether there is another page.
    const found = await accounts.list(tenantId, { behind, limit: limit + 1 }, signalOf(request));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    sendPage(request, response, {
      items: page.map((account) => accountRepresentations['application/json'].write(account)),
      nextCursor: last && cursors.seal(scope, [last.createdAt, last.id]),
    });
  };
}

function positionOf(cursors: Cursors, scope: CursorScope, cursor: string): AccountPosition {
  const [createdAt = '', id = ''] = cursors.open(scope, cursor);
  return { createdAt, id };
}
