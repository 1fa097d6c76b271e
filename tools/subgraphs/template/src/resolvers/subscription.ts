import type { FollowLog, LoggedEvent } from '@meridian/events';

import type { Context } from '../loaders/loaders.ts';
import type { SparePart } from '../spare-parts/spare-part.ts';

export const createSubscription = (followLog: FollowLog) => ({
  sparePartAdded: {
    subscribe: (_subscription: unknown, _arguments: unknown, { caller, resumeAfter, signal }: Context) =>
      followLog(caller.tenantId, { type: 'spare-part.added' }, { resumeAfter, signal, valueOf: sparePartIn }),
  },
});

/** As `add_spare_parts` writes it: migrations/0001-spare-parts.sql. */
function sparePartIn({ data }: LoggedEvent): SparePart {
  const sparePart: SparePart = JSON.parse(data);
  return sparePart;
}
