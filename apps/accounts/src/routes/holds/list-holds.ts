import { callerOf, signalOf } from '@meridian/http';
import { queryParameter, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, filterText } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';
import { oneOf } from '@meridian/settings/values';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { accountNotFound } from '../../accounts/account.ts';
import { availableHolds, holdSchema, holdStatuses } from '../../holds/hold.ts';
import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { HoldStore } from '../../store/hold-store.ts';

const holdPages = pagesOf('HoldPage', holdSchema);

const statusParameter = queryParameter('status', {
  description: 'Only the holds of this status.',
  type: oneOf(holdStatuses),
});

const parameters = [statusParameter, ...pageParameters];

/**
 * `GET /accounts/:id/holds`: pages by creation time, then identifier, both descending.
 * Contract: Ledger and events.
 */
export function listHolds(accounts: AccountStore, holds: HoldStore, cursors: Cursors): Route {
  return route<{ id: string }>(
    {
      id: 'listHolds',
      summary: "List an account's holds",
      description: 'All holds of the account, or the holds of one status, in pages: newest first.',
      tag: 'Holds',
      scope: 'accounts:read',
      parameters: [accountIdParameter, ...parameters],
      responses: { 200: holdPages.response },
      problems: ['account-not-found', 'invalid-cursor'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availableHolds);
      const accountId = request.params.id;
      const requested = pageRequestOf(request, parameters);
      const status = statusParameter.of(request);

      const page = await readPage({
        cursors,
        scope: { tenantId, collection: `/accounts/${accountId}/holds`, filter: filterText({ status }) },
        requested,
        load: (start) => holds.list(tenantId, { accountId, status, ...start }, signalOf(request)),
      });
      if (
        page.items.length === 0 &&
        (await accounts.find(tenantId, accountId, signalOf(request))) === undefined
      ) {
        throw accountNotFound(accountId);
      }
      holdPages.send(request, response, page);
    },
  );
}
