// Blanks secrets in the written line: members whose names say that their values are secret, at any depth, and secrets
// inside other text, such as a connection URL in a driver's error message. The logger's own redaction by path is
// limited in depth, and does not look into text. Clients influence the content of lines, so
// every expression here takes linear time: it also matches a secret without its end, and so never reads it twice.

const redacted = '[redacted]';

/**
 * The value, a string or a list, of a member whose name ends in one of these words. The search starts where a name
 * ends, which is faster than from its start.
 */
const secretValue =
  /":(?<="[\w.-]*(?:authorization|cookie|token|password|secret|database_?url|redis_?url|_keys)":)(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)/gi;

const urlCredentials = /:\/\/[^\s"'/?#@\\]+@/g;
const bearerToken = /\bBearer [\w.~+/=-]+/gi;
/** The first part of a JSON Web Token, and the two that complete it. */
const jsonWebToken = /eyJ[\w-]*(\.[\w-]+\.[\w-]*)?/g;

/** Blanks the secrets in JSON, such as lines of the log. The JSON stays valid, and lines stay lines. */
export function redactSecrets(json: string): string {
  return json
    .replaceAll(secretValue, `":"${redacted}"`)
    .replaceAll(urlCredentials, `://${redacted}@`)
    .replaceAll(bearerToken, `Bearer ${redacted}`)
    .replaceAll(jsonWebToken, (text: string, rest?: string) => (rest === undefined ? text : redacted));
}
