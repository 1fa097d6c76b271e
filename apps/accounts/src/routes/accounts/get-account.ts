import { callerOf, signalOf } from '@meridian/http';
import { ifNoneMatchHeader, taggedDescriptions, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, sendTagged } from '@meridian/rest';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { accountNotFound } from '../../accounts/account.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { AccountTags } from '../../accounts/account-tags.ts';
import { accountContent, availableAccount, accountRepresentations } from '../../accounts/representations.ts';

/**
 * `GET` and `HEAD /accounts/:id`: look up, validators, `If-None-Match`, body.
 * Spec: Endpoints, GET {base_url}/accounts/<account_id>.
 */
export function getAccount(accounts: AccountStore, tags: AccountTags): Route {
  return route<{ id: string }>(
    {
      id: 'getAccount',
      summary: 'Read an account',
      tag: 'Accounts',
      scope: 'accounts:read',
      parameters: [accountIdParameter, ifNoneMatchHeader],
      variesByAccept: true,
      responses: taggedDescriptions('The account', accountContent),
      problems: ['account-not-found'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      const mediaType = acceptedType(request, availableAccount);

      const account = await accounts.find(tenantId, request.params.id, signalOf(request));
      if (account === undefined) {
        throw accountNotFound(request.params.id);
      }

      const representation = accountRepresentations[mediaType];
      sendTagged(request, response, {
        etag: tags.of(tenantId, account, representation),
        mediaType,
        write: () => representation.write(account),
      });
    },
  );
}
