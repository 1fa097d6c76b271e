import type { Cursors } from '@meridian/rest';
import { callerOf, signalOf } from '@meridian/http';
import { queryParameter, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, filterText } from '@meridian/rest';
import { problem } from '@meridian/problem-details';
import { oneOf, text } from '@meridian/settings/values';
import type { Request } from 'express';

import { creationTimeOf, creationTimeParameters } from '../../pagination/creation-time.ts';
import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import type { TransferFilter, TransferStore } from '../../store/transfer-store.ts';
import { availableTransfers, transferSchema } from '../../transfers/transfer.ts';

const transferPages = pagesOf('TransferPage', transferSchema);

const accountIdParameter = queryParameter('account_id', {
  description: 'Only the transfers from or to this account.',
  // No transfer has an invalid account identifier, such as an empty text.
  type: { ...text, parse: (id) => id },
});

const directionParameter = queryParameter('direction', {
  description: 'With `account_id`: only the transfers to it (`in`), or from it (`out`).',
  type: oneOf(['in', 'out']),
});

const referenceParameter = queryParameter('reference', {
  description: 'Only the transfers with exactly this reference.',
  // No transfer has a reference with a control character, and PostgreSQL's text has no U+0000.
  type: { ...text, parse: (reference) => reference.replaceAll('\0', '\u0001') },
});

const parameters = [
  accountIdParameter,
  directionParameter,
  referenceParameter,
  ...creationTimeParameters,
  ...pageParameters,
];

/**
 * `GET /transfers`: pages by creation time, then identifier, both descending; with filters, only those that pass them all.
 * Spec: Resource conventions, "If the same entity is reachable from two parents".
 */
export function listTransfers(transfers: TransferStore, cursors: Cursors): Route {
  return route(
    {
      id: 'listTransfers',
      summary: 'List transfers',
      description: 'The transfers of the tenant, or those that pass all filters, in pages: newest first.',
      tag: 'Transfers',
      scope: 'accounts:read',
      parameters,
      responses: { 200: transferPages.response },
      problems: ['invalid-cursor'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availableTransfers);
      const requested = pageRequestOf(request, parameters);
      const filter = filterOf(request);
      const scope = {
        tenantId,
        collection: '/transfers',
        filter: filterText({
          account_id: filter.accountId,
          direction: filter.direction,
          reference: filter.reference,
          created_after: filter.createdAfter,
          created_before: filter.createdBefore,
        }),
      };

      const page = await readPage({
        cursors,
        scope,
        requested,
        load: (start) => transfers.list(tenantId, { ...filter, ...start }, signalOf(request)),
      });
      transferPages.send(request, response, page);
    },
  );
}

/** @throws {Problem} `invalid-parameter` */
function filterOf(request: Request): TransferFilter {
  const filter = {
    accountId: accountIdParameter.of(request),
    direction: directionParameter.of(request),
    reference: referenceParameter.of(request),
    ...creationTimeOf(request),
  };
  if (filter.direction !== undefined && filter.accountId === undefined) {
    throw problem('invalid-parameter', 'Cannot read the query: direction takes account_id beside it.');
  }
  return filter;
}
