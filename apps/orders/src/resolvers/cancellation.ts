import { userIdOf } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Cancellation as StoredCancellation } from '../orders/cancellation.ts';

export const Cancellation = {
  // The subject that the identifier follows from is what `@provides` promises: nobody else has to be asked for it.
  actor: ({ actorIssuer, actor }: StoredCancellation, _arguments: unknown, { caller }: Context) => ({
    id: userIdOf({ tenantId: caller.tenantId, issuer: actorIssuer, subject: actor }),
    subject: actor,
  }),
};
