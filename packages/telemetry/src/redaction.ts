// Secrets are blanked in the line as it is written: a member whose name says that its value is secret, at whatever depth,
// and what hides inside other text, such as a connection URL in a driver's error message. The logger's own redaction by
// path reaches only so deep, sees no text, and takes ten times as long. Others choose what the lines say, so that every
// expression here takes linear time: it also matches what lacks its end, and thus never reads that twice.

const redacted = '[redacted]';

/** A member whose name ends in one of these words, and its value: a string or a list. */
const secretMember =
  /"([\w-]*(?:authorization|cookie|token|password|secret|database_?url|redis_?url|_keys))":(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)/gi;

const urlCredentials = /:\/\/[^\s"'/?#@\\]+@/g;
const bearerToken = /\bBearer [\w.~+/=-]+/gi;
/** The beginning of a JSON Web Token, and the two parts that complete it. */
const jsonWebToken = /eyJ[\w-]*(\.[\w-]+\.[\w-]*)?/g;

/** Blanks the secrets in JSON, such as lines of the log; it stays valid JSON, and lines stay lines. */
export function redactSecrets(json: string): string {
  return json
    .replaceAll(secretMember, `"$1":"${redacted}"`)
    .replaceAll(urlCredentials, `://${redacted}@`)
    .replaceAll(bearerToken, `Bearer ${redacted}`)
    .replaceAll(jsonWebToken, (text: string, rest?: string) => (rest === undefined ? text : redacted));
}
