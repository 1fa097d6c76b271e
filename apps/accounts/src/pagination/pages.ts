import { array, named, nullable, object, text } from '@meridian/json';
import type { Schema } from '@meridian/json';
import { sendJson } from '@meridian/rest';
import type { CursorScope, Cursors } from '@meridian/rest';
import { jsonDescription, maxLimit, queryOf } from '@meridian/rest/openapi';
import type { HeaderDescription, ResponseDescription } from '@meridian/rest/openapi';
import type { Request, Response } from 'express';

import type { PageRequest } from './page-request.ts';

/** The sort key of every collection here: creation time with microseconds, then identifier. */
export interface PagePosition {
  readonly createdAt: string;
  readonly id: string;
}

/** One page, and the cursor of the next. */
export interface Page<Members> {
  readonly items: readonly Members[];
  readonly nextCursor: string | undefined;
}

interface ReadPageOptions<Item, Members> {
  readonly cursors: Cursors;
  readonly scope: CursorScope;
  readonly requested: PageRequest;
  /** At most `limit` items in descending order, after a position; from the start without one. */
  readonly load: (after: PagePosition | undefined, limit: number) => Promise<readonly Item[]>;
  /** The item as a page shows it. */
  readonly membersOf: (item: Item) => Members;
}

/**
 * Reads the page of a collection that a request asks for.
 * Spec: Resource conventions, Collection.
 *
 * @throws {Problem} `invalid-cursor`
 */
export async function readPage<Item extends PagePosition, Members>({
  cursors,
  scope,
  requested: { cursor, limit },
  load,
  membersOf,
}: ReadPageOptions<Item, Members>): Promise<Page<Members>> {
  const [createdAt = '', id = ''] = cursor === undefined ? [] : cursors.open(scope, cursor);
  // One item more than the page shows whether there is a next page.
  const found = await load(cursor === undefined ? undefined : { createdAt, id }, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items: items.map(membersOf), nextCursor: last && cursors.seal(scope, [last.createdAt, last.id]) };
}

/** The pages of a collection, as they are documented and sent. */
export interface Pages<Members> {
  readonly schema: Schema<PageMembers<Members>>;
  readonly response: ResponseDescription;
  /** Sends a page. Its body and its `Link` field (RFC 8288) link the next page, with the rest of the query unchanged. */
  send(request: Request, response: Response, page: Page<Members>): void;
}

interface PageMembers<Members> {
  readonly items: readonly Members[];
  readonly next_cursor: string | null;
}

/** @param name of their schema */
export function pagesOf<Members>(name: string, item: Schema<Members>): Pages<Members> {
  const nextCursor = text({ description: 'The `cursor` of the next page; null on the last.' });
  const schema: Schema<PageMembers<Members>> = named(
    name,
    object({ items: array(item, { maxItems: maxLimit }), next_cursor: nullable(nextCursor) }),
  );
  return {
    schema,
    response: jsonDescription('A page, newest first.', schema, [linkHeader]),
    send(request, response, { items, nextCursor: cursor }) {
      const headers = cursor === undefined ? {} : { Link: `<${linkTo(request, cursor)}>; rel="next"` };
      sendJson(request, response, schema.write({ items, next_cursor: cursor ?? null }), headers);
    },
  };
}

const linkHeader: HeaderDescription = {
  name: 'Link',
  isRequired: false,
  description: 'The path of the next page (RFC 8288); absent on the last.',
  schema: { type: 'string', pattern: '^</[^>]+>; rel="next"$' },
};

function linkTo(request: Request, cursor: string): string {
  const query = queryOf(request);
  query.set('cursor', cursor);
  return `${request.path}?${query.toString()}`;
}
