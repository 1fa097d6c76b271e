/** A schema and its resolvers do not match. The message has one line, with the place, for each fault. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
