import { callerOf, signalOf } from '@meridian/http';
import { jsonDescription, queryParameter, refuseUnknownParameters, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, availableAsJson, sendJson } from '@meridian/rest';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { balanceAtSchema } from '../../ledger/entry-schemas.ts';
import { utcMoment } from '../../pagination/time-type.ts';
import type { LedgerStore } from '../../store/ledger-store.ts';

const atParameter = queryParameter('at', {
  description: 'The moment of the balance; now without it. Not in the future.',
  type: utcMoment,
});

const availableBalance = availableAsJson('Balances are available as application/json.');

/**
 * `GET /accounts/:id/balance`: the balance as of a moment.
 * Contract: Ledger and events.
 */
export function getBalance(ledger: LedgerStore): Route {
  return route<{ id: string }>(
    {
      id: 'getBalance',
      summary: 'Read the balance of an account at a moment',
      description:
        'The balance after the last entry at or before the moment. It never changes afterwards: an entry that is written later has a later time.',
      tag: 'Ledger',
      scope: 'accounts:read',
      parameters: [accountIdParameter, atParameter],
      responses: {
        200: jsonDescription('The balance.', balanceAtSchema),
      },
      problems: ['account-not-found'],
    },
    async (request, response) => {
      acceptedType(request, availableBalance);
      refuseUnknownParameters(request, [atParameter]);
      const accountId = request.params.id;
      const balance = await ledger.balanceAt(
        callerOf(request).tenantId,
        accountId,
        atParameter.of(request),
        signalOf(request),
      );
      sendJson(request, response, balanceAtSchema.write({ account_id: accountId, ...balance }));
    },
  );
}
