const prefix = 'sha256:';
const lengthOfPrefixed = prefix.length + 64;

/**
 * The identifier of an operation without the prefix that names its kind: `sha256:` before 64 digits only says what they
 * are, so a client may send it where the manifest has none, and the reverse. Any other identifier is opaque and stays
 * as it is.
 *
 * GraphQL over HTTP, Appendix A, "SHA256 Hex Document Identifier".
 */
export function plainIdentifier(id: string): string {
  return id.length === lengthOfPrefixed && id.startsWith(prefix) ? id.slice(prefix.length) : id;
}
