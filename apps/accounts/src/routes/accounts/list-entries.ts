import { callerOf, signalOf } from '@meridian/http';
import { route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, availableAsJson } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { accountNotFound } from '../../accounts/account.ts';
import { entryMembers, entrySchema } from '../../ledger/entry-schemas.ts';
import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import type { LedgerStore } from '../../store/ledger-store.ts';

const entryPages = pagesOf('EntryPage', entrySchema);

const availableEntries = availableAsJson('Entries are available as application/json.');

/**
 * `GET /accounts/:id/entries`: pages by time, descending.
 * Contract: Ledger and events.
 */
export function listEntries(ledger: LedgerStore, cursors: Cursors): Route {
  return route<{ id: string }>(
    {
      id: 'listEntries',
      summary: "List an account's entries",
      description:
        'Each change of the balance, with the balance after it and who made it, in pages: newest first. The sum of the entries is the balance.',
      tag: 'Ledger',
      scope: 'accounts:read',
      parameters: [accountIdParameter, ...pageParameters],
      responses: { 200: entryPages.response },
      problems: ['account-not-found', 'invalid-cursor'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availableEntries);
      const accountId = request.params.id;

      const page = await readPage({
        cursors,
        scope: { tenantId, collection: `/accounts/${accountId}/entries`, filter: '' },
        requested: pageRequestOf(request, pageParameters),
        load: (start) => ledger.list(tenantId, { accountId, ...start }, signalOf(request)),
      });
      // Every account has an entry, and the first page shows it.
      if (page.items.length === 0) {
        throw accountNotFound(accountId);
      }
      const items = page.items.map((entry) => entryMembers(tenantId, accountId, entry));
      entryPages.send(request, response, { ...page, items });
    },
  );
}
