/** The database and the migrations do not fit together. The message says how, and is meant for an operator. */
export class MigrationError extends Error {
  override readonly name: string = 'MigrationError';
}

/** The database has had migrations that are not those of the files: only other files, or another database, help. */
export class MigrationHistoryError extends MigrationError {
  override readonly name = 'MigrationHistoryError';
}
