import type { CursorScope, Cursors } from '@meridian/rest';

import type { PageRequest } from './page-request.ts';

/** The sort key of every collection here: creation time with microseconds, then identifier. */
export interface PagePosition {
  readonly createdAt: string;
  readonly id: string;
}

/** One page, and the cursor of the next. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

interface KeysetPageOptions<Item, Members> {
  readonly cursors: Cursors;
  readonly scope: CursorScope;
  readonly requested: PageRequest;
  /** At most `limit` items in descending order, after a position; from the start without one. */
  readonly load: (after: PagePosition | undefined, limit: number) => Promise<readonly Item[]>;
  /** The item as a page shows it. */
  readonly membersOf: (item: Item) => Members;
}

/**
 * The page of a collection that a request asks for.
 * Spec: Resource conventions, Collection.
 *
 * @throws {Problem} `invalid-cursor`
 */
export async function keysetPage<Item extends PagePosition, Members>(
  options: KeysetPageOptions<Item, Members>,
): Promise<Page<Members>> {
  const { cursors, scope, requested, load, membersOf } = options;
  // One item more than the page shows whether there is a next page.
  const found = await load(startOf(cursors, scope, requested.cursor), requested.limit + 1);
  const items = found.slice(0, requested.limit);
  const last = found.length > requested.limit ? items.at(-1) : undefined;
  return { items: items.map(membersOf), nextCursor: last && cursors.seal(scope, [last.createdAt, last.id]) };
}

function startOf(cursors: Cursors, scope: CursorScope, cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  const [createdAt = '', id = ''] = cursors.open(scope, cursor);
  return { createdAt, id };
}
