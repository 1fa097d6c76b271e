import { callerOf, negotiate, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import type { HttpResponse } from '@meridian/http';
import {
  cacheControlHeader,
  etagHeader,
  ifMatchHeader,
  preferenceAppliedHeader,
  preferHeader,
  route,
} from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import {
  acceptedType,
  bodySchemaOf,
  ifMatchOf,
  preferenceApplied,
  prefersRepresentation,
  readJsonBody,
  staleEtag,
} from '@meridian/rest';
import type { Request } from 'express';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { accountUpdate } from '../../accounts/account-input.ts';
import { accountNotFound } from '../../accounts/account.ts';
import type { Account } from '../../accounts/account.ts';
import { accountContent, availableAccount } from '../../accounts/representations.ts';
import type { Representation } from '../../accounts/representations.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { AccountTags } from '../../accounts/account-tags.ts';

/**
 * `PUT /accounts/:id`: Accept, Content-Type, If-Match present, body, look up, compare, swap.
 * Spec: Endpoints, PUT {base_url}/accounts/<account_id>; States and transitions.
 */
export function putAccount(accounts: AccountStore, tags: AccountTags): Route {
  return route<{ id: string }>(
    {
      id: 'updateAccount',
      summary: 'Update an account',
      description:
        'Sets the balance if the account has not changed since the `ETag` in `If-Match` was read. Of any number of writers with one `ETag`, at most one succeeds.',
      tag: 'Accounts',
      scope: 'accounts:write',
      parameters: [accountIdParameter, ifMatchHeader, preferHeader],
      body: accountUpdate,
      variesByAccept: true,
      responses: {
        200: {
          description:
            'The account was written. Its new `ETag` is of the same representation as the one in `If-Match`, and so is the body, which is empty unless `Prefer` wants it and the token may read accounts.',
          headers: [etagHeader, preferenceAppliedHeader, cacheControlHeader(privateCacheControl)],
          content: accountContent,
        },
      },
      problems: ['if-match-required', 'account-not-found', 'stale-etag'],
    },
    async (request, response) => {
      const caller = callerOf(request);
      const { tenantId } = caller;
      const signal = signalOf(request);
      acceptedType(request, availableAccount);
      const schema = bodySchemaOf(request, accountUpdate);

      const ifMatch = ifMatchOf(request);

      const { value } = await readJsonBody(request, schema);

      const account = await accounts.find(tenantId, request.params.id, signal);
      if (account === undefined) {
        throw accountNotFound(request.params.id);
      }

      // An early answer for a tag that is stale already. Whether this request writes is decided by the swap.
      const representation = tags.namedByIfMatch(ifMatch, tenantId, account);
      if (representation === undefined) {
        throw staleEtag('account', ifMatch);
      }

      const written = await accounts.swap(caller, account, value.balance_minor_units, signal);
      if (written === 'conflict') {
        throw staleEtag('account', ifMatch);
      }

      const mayRead = caller.scopes.has('accounts:read');
      const preferred = mayRead ? preferredBody(request, written, representation) : undefined;
      sendResponse(request, response, {
        status: 200,
        headers: {
          ETag: tags.of(tenantId, written, representation),
          'Cache-Control': privateCacheControl,
          ...preferred?.headers,
        },
        body: preferred?.body ?? '',
      });
    },
  );
}

/** The account, where the request prefers it in the response, and takes the representation that it was written in. */
function preferredBody(
  request: Request,
  account: Account,
  { mediaType, write }: Representation,
): Pick<HttpResponse, 'headers' | 'body'> | undefined {
  return prefersRepresentation(request) && negotiate(request.headers.accept, [mediaType]) !== undefined
    ? { headers: { ...preferenceApplied, 'Content-Type': mediaType }, body: write(account) }
    : undefined;
}
