import type { Cursors } from '@meridian/rest';
import { callerOf, signalOf } from '@meridian/http';
import type { Operation } from '@meridian/openapi';
import { acceptedType, availableAsJson } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { accountMembers, accountShape } from '../../accounts/representations.ts';
import { keysetPage } from '../../pagination/keyset-page.ts';
import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pageResponse, pageShape } from '../../pagination/page-response.ts';
import { sendPage } from '../../pagination/send-page.ts';
import type { AccountStore } from '../../store/account-store.ts';

const accountPageShape = pageShape('AccountPage', accountShape);

const availablePages = availableAsJson('Pages of accounts are available as application/json.');

export const listAccountsOperation: Operation = {
  id: 'listAccounts',
  summary: 'List accounts',
  description:
    'All accounts of the tenant in pages: newest first; accounts of the same microsecond by identifier, descending.',
  tag: 'Accounts',
  scope: 'accounts:read',
  parameters: pageParameters,
  responses: { 200: pageResponse(accountPageShape) },
  problems: ['invalid-cursor'],
};

/**
 * `GET /accounts`: pages by creation time, then identifier, both descending.
 * Spec: Resource conventions, Collection.
 */
export function listAccounts(accounts: AccountStore, cursors: Cursors): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availablePages);
    const asked = pageRequestOf(request);
    const scope = { tenantId, collection: '/accounts', filter: '' };

    const page = await keysetPage({
      cursors,
      scope,
      asked,
      load: (behind, limit) => accounts.list(tenantId, { behind, limit }, signalOf(request)),
      membersOf: accountMembers,
    });
    sendPage(request, response, accountPageShape, page);
  };
}
