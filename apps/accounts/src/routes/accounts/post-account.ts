import { callerOf, contentTypeOf, sendAnswer, signalOf } from '@meridian/http';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import { isAccountId } from '../../accounts/account.ts';
import { createAccountStore } from '../../accounts/account-store.ts';
import type { AccountTags } from '../../accounts/account-tags.ts';
import { negotiateAccount } from '../../accounts/negotiate-account.ts';
import { accountMediaTypes, accountRepresentations } from '../../accounts/representations.ts';
import { malformedBody } from '../../json-body/body-members.ts';
import { readJsonBody } from '../../json-body/read-json-body.ts';
import type { WriteOnce } from '../../store/write-once.ts';

/** `POST /accounts`: an account under the client's identifier, or under a new one. */
export function postAccount(writeOnce: WriteOnce, tags: AccountTags): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    const mediaType = negotiateAccount(request, response);
    const bodyType = contentTypeOf(request, accountMediaTypes) ?? 'application/json';

    const body = await readJsonBody(request);
    const { id = uuidv7(), balanceMinorUnits } = accountRepresentations[bodyType].read(body.members);
    if (!isAccountId(id))
      throw malformedBody('id is not 1 to 128 characters of A-Z, a-z, 0-9, "_", ".", "~" and "-"');

    const answer = await writeOnce(request, body.bytes, async (statements) => {
      const account = await createAccountStore(statements).create(
        tenantId,
        id,
        balanceMinorUnits,
        signalOf(request),
      );
      const representation = accountRepresentations[mediaType];
      return {
        status: 201,
        headers: {
          Location: `/accounts/${account.id}`,
          ETag: tags.of(tenantId, account, representation),
          'Content-Type': mediaType,
        },
        body: representation.write(account),
      };
    });
    sendAnswer(request, response, answer);
  };
}
