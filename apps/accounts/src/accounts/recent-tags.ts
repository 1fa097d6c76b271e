import type { AccountVersion } from './account.ts';
import type { Representation } from './representations.ts';

/** The state of an account that an entity tag names. */
export interface TaggedVersion {
  readonly tenantId: string;
  readonly version: AccountVersion;
  readonly representation: Representation;
}

/** The entity tags that this process made last, in bounded memory. */
export interface RecentTags {
  readonly add: (tag: string, tagged: TaggedVersion) => void;
  /** Returns the state that a tag of this account names, and forgets the tag: a second write takes the full path. */
  readonly take: (tag: string, tenantId: string, id: string) => TaggedVersion | undefined;
}

/** About 2 MiB. */
const tagsOfGeneration = 5000;

/** Remembers the last 5000 to 10 000 tags: when a generation is full, the one before it is dropped. */
export function createRecentTags(): RecentTags {
  let young = new Map<string, TaggedVersion>();
  let old = new Map<string, TaggedVersion>();
  return {
    add(tag, tagged) {
      if (young.size >= tagsOfGeneration) {
        [young, old] = [new Map(), young];
      }
      young.set(tag, tagged);
    },
    take(tag, tenantId, id) {
      const tagged = young.get(tag) ?? old.get(tag);
      if (tagged?.tenantId !== tenantId || tagged.version.id !== id) {
        return undefined;
      }
      young.delete(tag);
      old.delete(tag);
      return tagged;
    },
  };
}
