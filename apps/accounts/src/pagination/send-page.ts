import { privateCacheControl, sendResponse } from '@meridian/http';
import type { Schema } from '@meridian/json';
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
  sendResponse(request, response, {
    status: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': privateCacheControl,
      ...(nextCursor === undefined ? {} : { Link: `<${linkTo(request, nextCursor)}>; rel="next"` }),
    },
    body: schema.write({ items, next_cursor: nextCursor ?? null }),
  });
}

function linkTo(request: Request, cursor: string): string {
  const query = queryOf(request);
  query.set('cursor', cursor);
  return `${request.path}?${query.toString()}`;
}
