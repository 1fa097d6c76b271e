import { array, named, nullable, object, text } from '@meridian/json';
import type { Schema } from '@meridian/json';
import { sendJson } from '@meridian/rest';
import type { CursorScope, Cursors } from '@meridian/rest';
import { jsonDescription, maxLimit, queryOf } from '@meridian/rest/openapi';
import type { HeaderDescription, ResponseDescription } from '@meridian/rest/openapi';
import type { Request, Response } from 'express';

import type { PageRequest } from './page-request.ts';

/** The sort key of every collection here: creation time with microseconds, then identifier. */
interface PagePosition {
  readonly created_at: string;
  readonly id: string | bigint;
}

/** The place at which the store begins a page, and the most items of it. */
export interface PageStart {
  /** From the first item on without it. */
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

/** One page, and the cursor of the next. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

interface ReadPageOptions<Item> {
  readonly cursors: Cursors;
  readonly scope: CursorScope;
  readonly requested: PageRequest;
  /** Items in descending order. */
  readonly load: (start: PageStart) => Promise<readonly Item[]>;
}

/**
 * Reads the page of a collection that a request asks for.
 * Spec: Resource conventions, Collection.
 *
 * @throws {Problem} `invalid-cursor`
 */
export async function readPage<Item extends PagePosition>({
  cursors,
  scope,
  requested: { cursor, limit },
  load,
}: ReadPageOptions<Item>): Promise<Page<Item>> {
  const [createdAt = '', id = ''] = cursor === undefined ? [] : cursors.open(scope, cursor);
  const after = cursor === undefined ? undefined : { created_at: createdAt, id };
  // One item more than the page shows whether there is a next page.
  const found = await load({ after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last && cursors.seal(scope, [last.created_at, String(last.id)]) };
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
