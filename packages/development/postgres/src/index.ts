export { PostgresError } from './postgres-error.ts';
export { startPostgres } from './start-postgres.ts';
export type { RunningPostgres, StartPostgresOptions } from './start-postgres.ts';
