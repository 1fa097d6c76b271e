/** One entity tag of a list, without its `W/`. RFC 9110 §8.8.3. */
const opaqueTags = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * True when an `If-None-Match` matches the entity tag of a response: a client has this response already. The comparison
 * is weak, since caches and proxies that compress a response make its tag weak.
 *
 * RFC 9110 §13.1.2.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === entityTag) {
    return ifNoneMatch !== undefined;
  }
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(opaqueTags)?.includes(entityTag) ?? false);
}
