import { userIdOf } from '@meridian/subgraph';
import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Cancellation as StoredCancellation } from '../orders/cancellation.ts';

export const Cancellation = {
  // `@provides` promises the subject, which the identifier is derived from: no other subgraph needs to be asked for it.
  actor: ({ actorIssuer, actor }, _arguments, { caller }) => ({
    id: userIdOf({ tenantId: caller.tenantId, issuer: actorIssuer, subject: actor }),
    subject: actor,
  }),
} satisfies FieldResolvers<StoredCancellation, Context>;
