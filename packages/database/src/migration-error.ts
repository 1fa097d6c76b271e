/** The database and the migrations do not fit together. The message says how, and is meant for an operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
