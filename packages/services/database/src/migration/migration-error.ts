/** The database and the migrations do not match. The message says how, for an operator. */
export class MigrationError extends Error {
  override readonly name: string = 'MigrationError';
}

/** The history of the database differs from the migration files: use other files, or another database. */
export class MigrationHistoryError extends MigrationError {
  override readonly name = 'MigrationHistoryError';
}
