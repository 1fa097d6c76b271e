/** PostgreSQL cannot run here. The message tells the user what is wrong, and what to do. */
export class PostgresError extends Error {
  override readonly name: string = 'PostgresError';
}
