import { callerOf, sendAnswer, signalOf } from '@meridian/http';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import { isAccountId } from '../../accounts/account.ts';
import { accountBodyType, readAccountBody } from '../../accounts/account-body.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { AccountTags } from '../../accounts/account-tags.ts';
import { malformedBody } from '../../accounts/body-members.ts';
import { negotiateAccount } from '../../accounts/negotiate-account.ts';
import { accountRepresentations } from '../../accounts/representations.ts';

/** `POST /accounts`: an account under the client's identifier, or under a new one. */
export function postAccount(accounts: AccountStore, tags: AccountTags): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    const mediaType = negotiateAccount(request, response);

    const { id = uuidv7(), balanceMinorUnits } = await readAccountBody(request, accountBodyType(request));
    if (!isAccountId(id))
      throw malformedBody('id is not 1 to 128 characters of A-Z, a-z, 0-9, "_", ".", "~" and "-"');

    const account = await accounts.create(tenantId, id, balanceMinorUnits, signalOf(request));

    const representation = accountRepresentations[mediaType];
    sendAnswer(request, response, {
      status: 201,
      headers: {
        Location: `/accounts/${account.id}`,
        ETag: tags.of(tenantId, account, representation),
        'Content-Type': mediaType,
      },
      body: representation.write(account),
    });
  };
}
