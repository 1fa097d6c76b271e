import { hasValidator } from '@meridian/etag';
import { callerOf, contentTypeOf, sendAnswer, signalOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { RequestHandler } from 'express';

import { accountNotFound } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { AccountTags } from '../../accounts/account-tags.ts';
import { negotiateAccount } from '../../accounts/negotiate-account.ts';
import { accountMediaTypes, accountRepresentations } from '../../accounts/representations.ts';
import { readJsonBody } from '../../json-body/read-json-body.ts';

/**
 * `PUT /accounts/:id`: If-Match present, body, look up, compare, swap.
 * Spec: Endpoints, PUT {base_url}/accounts/<account_id>; States and transitions.
 */
export function putAccount(accounts: AccountStore, tags: AccountTags): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    const signal = signalOf(request);
    negotiateAccount(request, response);
    const mediaType = contentTypeOf(request, accountMediaTypes) ?? 'application/json';

    const ifMatch = request.headers['if-match'];
    if (!hasValidator(ifMatch)) throw ifMatchRequired();

    const body = await readJsonBody(request);
    const { balanceMinorUnits } = accountRepresentations[mediaType].read(body.members);

    const account = await accounts.find(tenantId, request.params.id, signal);
    if (account === undefined) throw accountNotFound(request.params.id);

    // Only to fail fast: the swap decides.
    const representation = tags.namedByIfMatch(ifMatch, tenantId, account);
    if (representation === undefined) throw staleEtag();

    const written = await accounts.swap(tenantId, account, balanceMinorUnits, signal);
    if (written === 'conflict') throw staleEtag();

    sendAnswer(request, response, {
      status: 200,
      headers: {
        ETag: tags.of(tenantId, written, representation),
        'Cache-Control': 'private, max-age=0, must-revalidate',
      },
    });
  };
}

function ifMatchRequired() {
  return problem('if-match-required', 'A write needs If-Match with the ETag of a prior read.');
}

function staleEtag() {
  return problem('stale-etag', 'The account has changed since the ETag in If-Match was read.');
}
