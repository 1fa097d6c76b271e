/** A value does not match its schema. The message says where and why, and is safe to show to the sender. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** Builds the error of the value at a path; the empty path is the whole value. */
export function schemaError(path: string, fault: string): SchemaError {
  return new SchemaError(`${path === '' ? 'it' : path} ${fault}`);
}
