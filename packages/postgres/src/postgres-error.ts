/** PostgreSQL cannot run here. The message is for the person at the terminal: what is wrong, and what to do about it. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}
