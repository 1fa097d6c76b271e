/**
 * True when the field value of `If-Match` is not empty: an empty one counts as absent, so a write with it
 * lacks a precondition, rather than having a stale one.
 */
export function hasValidator(header: string | undefined): header is string {
  return header !== undefined && header.trim() !== '';
}
