import { array, named, nullable, object, text } from '@meridian/json';
import type { Schema } from '@meridian/json';
import { jsonDescription, maxLimit } from '@meridian/rest/openapi';
import type { HeaderDescription, ResponseDescription } from '@meridian/rest/openapi';

/** A page as it is written. */
export interface PageMembers<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The schema of a collection's pages, under a name. */
export function pageSchema<Item>(name: string, item: Schema<Item>): Schema<PageMembers<Item>> {
  const nextCursor = text({ description: 'The `cursor` of the next page; null on the last.' });
  return named(
    name,
    object({ items: array(item, { maxItems: maxLimit }), next_cursor: nullable(nextCursor) }),
  );
}

const linkHeader: HeaderDescription = {
  name: 'Link',
  isRequired: false,
  description: 'The path of the next page (RFC 8288); absent on the last.',
  schema: { type: 'string', pattern: '^</[^>]+>; rel="next"$' },
};

/** The response of `sendPage`. */
export function pageResponse(schema: Schema<PageMembers<unknown>>): ResponseDescription {
  return jsonDescription('A page, newest first.', schema, [linkHeader]);
}
