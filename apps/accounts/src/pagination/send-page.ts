import type { Schema } from '@meridian/json';
import { sendJson } from '@meridian/rest';
import { queryOf } from '@meridian/rest/openapi';
import type { Request, Response } from 'express';

import type { Page } from './keyset-page.ts';
import type { PageMembers } from './page-response.ts';

/** Sends a page. Its body and its `Link` field (RFC 8288) link the next page, with the rest of the query unchanged. */
export function sendPage<Item>(
  request: Request,
  response: Response,
  schema: Schema<PageMembers<Item>>,
  { items, nextCursor }: Page<Item>,
): void {
  sendJson(
    request,
    response,
    schema.write({ items, next_cursor: nextCursor ?? null }),
    nextCursor === undefined ? {} : { Link: `<${linkTo(request, nextCursor)}>; rel="next"` },
  );
}

function linkTo(request: Request, cursor: string): string {
  const query = queryOf(request);
  query.set('cursor', cursor);
  return `${request.path}?${query.toString()}`;
}
