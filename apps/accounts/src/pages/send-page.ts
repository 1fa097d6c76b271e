import { sendAnswer } from '@meridian/http';
import type { Request, Response } from 'express';

/** One page, and the cursor of the next. */
export interface Page {
  /** Each item as JSON text. */
  readonly items: readonly string[];
  readonly nextCursor: string | undefined;
}

/** Answers a page; the next one is linked in the body and in `Link` (RFC 8288), with everything else in the query as it was. */
export function sendPage(request: Request, response: Response, { items, nextCursor }: Page): void {
  sendAnswer(request, response, {
    status: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'private, max-age=0, must-revalidate',
      ...(nextCursor === undefined ? {} : { Link: `<${linkTo(request, nextCursor)}>; rel="next"` }),
    },
    body: `{"items":[${items.join()}],"next_cursor":${JSON.stringify(nextCursor ?? null)}}`,
  });
}

function linkTo(request: Request, cursor: string): string {
  const query = new URLSearchParams(request.url.split('?', 2)[1]);
  query.set('cursor', cursor);
  return `${request.path}?${query.toString()}`;
}
