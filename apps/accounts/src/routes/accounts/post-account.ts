import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { acceptedType, bodySchemaOf, idempotencyKeyHeader, readJsonBody } from '@meridian/rest';
import { cacheControlHeader, etagHeader, locationHeader, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { v7 as uuidv7 } from 'uuid';

import { newAccount } from '../../accounts/account-input.ts';
import { createAccountStore } from '../../store/account-store.ts';
import type { AccountTags } from '../../accounts/account-tags.ts';
import { accountContent, availableAccount, accountRepresentations } from '../../accounts/representations.ts';

/** `POST /accounts`: an account under the client's identifier, or under a new one. */
export function postAccount(idempotentWrite: IdempotentWrite<Statements>, tags: AccountTags): Route {
  return route(
    {
      id: 'createAccount',
      summary: 'Create an account',
      description: 'Under the identifier in the body, or, without one, under a new one (UUIDv7).',
      tag: 'Accounts',
      scope: 'accounts:write',
      idempotencyKey: idempotencyKeyHeader,
      body: newAccount,
      variesByAccept: true,
      responses: {
        201: {
          description: 'The account was created.',
          headers: [
            locationHeader('The path of the account.'),
            etagHeader,
            cacheControlHeader(privateCacheControl),
          ],
          content: accountContent,
        },
      },
      problems: ['account-already-exists'],
    },
    async (request, response) => {
      const caller = callerOf(request);
      const mediaType = acceptedType(request, availableAccount);
      const schema = bodySchemaOf(request, newAccount);

      const body = await readJsonBody(request, schema);
      const { id = uuidv7(), balance_minor_units: balance } = body.value;

      const httpResponse = await idempotentWrite(request, body.bytes, async (statements) => {
        const account = await createAccountStore(statements).create(caller, id, balance, signalOf(request));
        const representation = accountRepresentations[mediaType];
        return {
          status: 201,
          headers: {
            Location: `/accounts/${account.id}`,
            ETag: tags.of(caller.tenantId, account, representation),
            'Cache-Control': privateCacheControl,
            'Content-Type': mediaType,
          },
          body: representation.write(account),
        };
      });
      sendResponse(request, response, httpResponse);
    },
  );
}
