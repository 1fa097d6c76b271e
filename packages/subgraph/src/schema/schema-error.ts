/** A schema and its resolvers that do not fit each other; the message has one line, with the place, for each fault. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
