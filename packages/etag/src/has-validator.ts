/**
 * Whether the field value of `If-Match` holds anything: an empty one counts as absent, so a write with it is refused for want of
 * a precondition instead of for a stale one.
 */
export function hasValidator(header: string | undefined): header is string {
  return header !== undefined && header.trim() !== '';
}
