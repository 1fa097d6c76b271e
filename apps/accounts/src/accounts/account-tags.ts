import { createEntityTags } from '@meridian/etag';

import type { AccountVersion } from './account.ts';
import { createRecentTags } from './recent-tags.ts';
import type { TaggedVersion } from './recent-tags.ts';
import { distinctRepresentations } from './representations.ts';
import type { Representation } from './representations.ts';

/** The entity tags of a tenant's accounts. Spec: Resources, `ETag`. */
export interface AccountTags {
  readonly of: (tenantId: string, account: AccountVersion, representation: Representation) => string;
  /** The representation of the account that `If-Match` names; undefined when it is stale. */
  readonly namedByIfMatch: (
    header: string,
    tenantId: string,
    account: AccountVersion,
  ) => Representation | undefined;
  /** The state that `If-Match` names, where this process has made the tag lately. It need not be the current one. */
  readonly takeRecent: (header: string, tenantId: string, id: string) => TaggedVersion | undefined;
}

/** @param keys the first makes tags; `If-Match` may also hold a tag that one of the others made */
export function createAccountTags(keys: readonly string[]): AccountTags {
  const tags = createEntityTags({ keys });
  const recent = createRecentTags();
  return {
    of(tenantId, { id, revision, storeEpoch }, representation) {
      const version = { id, revision, storeEpoch };
      const tag = tags.of(tagged(tenantId, version, representation));
      recent.add(tag, { tenantId, version, representation });
      return tag;
    },
    namedByIfMatch: (header, tenantId, account) =>
      distinctRepresentations.find((representation) =>
        tags.matchesIfMatch(header, tagged(tenantId, account, representation)),
      ),
    takeRecent: recent.take,
  };
}

function tagged(
  tenantId: string,
  { id, revision, storeEpoch }: AccountVersion,
  { tagScope }: Representation,
) {
  return { tenantId, identifier: id, revision, storeEpoch, mediaType: tagScope };
}
