import { createEntityTags } from '@meridian/etag';

import type { Account } from './account.ts';
import { distinctRepresentations } from './representations.ts';
import type { Representation } from './representations.ts';

/** The entity tags of a tenant's accounts. Spec: Resources, `ETag`. */
export interface AccountTags {
  readonly of: (tenantId: string, account: Account, representation: Representation) => string;
  /** The representation of the account that `If-Match` names; undefined when it is stale. */
  readonly namedByIfMatch: (header: string, tenantId: string, account: Account) => Representation | undefined;
}

/** @param keys the first makes tags; `If-Match` may also hold a tag that one of the others made */
export function createAccountTags(keys: readonly string[]): AccountTags {
  const tags = createEntityTags({ keys });
  return {
    of: (tenantId, account, representation) => tags.of(tagged(tenantId, account, representation)),
    namedByIfMatch: (header, tenantId, account) =>
      distinctRepresentations.find((representation) =>
        tags.matchesIfMatch(header, tagged(tenantId, account, representation)),
      ),
  };
}

function tagged(tenantId: string, account: Account, { tagScope, showsHolds }: Representation) {
  const { id, revision, store_epoch: storeEpoch, held_minor_units: held } = account;
  // A hold that expires changes what is available, and no revision.
  const mediaType = showsHolds && held !== '0' ? `${tagScope};held=${held}` : tagScope;
  return { tenantId, identifier: id, revision, storeEpoch, mediaType };
}
