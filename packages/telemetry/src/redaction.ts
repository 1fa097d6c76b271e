// Two walls: members whose name says that they are secret are blanked by name; what hides inside other text, such as a
// connection URL in a driver's error message, is blanked by its shape when the line is written.

const secretNames = [
  'authorization',
  'cookie',
  'token',
  'password',
  'secret',
  'databaseUrl',
  'DATABASE_URL',
  'redisUrl',
  'REDIS_URL',
];

/** The deepest member that is blanked by its name. */
const deepest = 3;

/** Paths, as pino takes them, of members that are never written. */
export const redactedKeys: string[] = secretNames.flatMap((name) =>
  Array.from({ length: deepest }, (_, depth) => `${'*.'.repeat(depth)}${name}`),
);

/** Blanks credentials in URLs, bearer tokens and JWTs, wherever in the text they stand. */
export function redactText(text: string): string {
  return text
    .replaceAll(/:\/\/[^\s"'/?#@\\]+@/g, '://[redacted]@')
    .replaceAll(/\bBearer [\w.~+/=-]+/gi, 'Bearer [redacted]')
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]');
}
