export { assertServiceRole, UnsafeServiceRole } from './assert-service-role.ts';
export { assertDistribution, UndistributedStore } from './citus/assert-distribution.ts';
export { distributeDatabase } from './citus/distribute-database.ts';
export type { DistributeDatabaseOptions } from './citus/distribute-database.ts';
export { readDistribution } from './citus/distribution.ts';
export type { Distribution } from './citus/distribution.ts';
export { provisionCitusDatabase } from './citus/provision-citus-database.ts';
export type { ProvisionCitusDatabaseOptions } from './citus/provision-citus-database.ts';
export { connectDatabase } from './connect-database.ts';
export type { Database } from './connect-database.ts';
export type { DatabaseCall, DatabaseOptions, QueryOptions } from './connect-statements.ts';
export { withCopy } from './copy-new-rows.ts';
export type { CopiedRows, CopyBatch, CopyNewRows } from './copy-new-rows.ts';
export { migrateDatabase } from './migrate-database.ts';
export type { MigrateDatabaseOptions } from './migrate-database.ts';
export { dropDatabase } from './drop-database.ts';
export { MigrationError, MigrationHistoryError } from './migration-error.ts';
export { provisionDatabase } from './provision-database.ts';
export type { ProvisionDatabaseOptions, ProvisionedDatabase } from './provision-database.ts';
export type { BuiltQuery } from './statement.ts';
export {
  OutcomeUnknown,
  StatementCancelled,
  StoreTimeout,
  StoreUnavailable,
  WorkerUnavailable,
} from './store-errors.ts';
export type { TenantTransaction } from './tenant-transaction.ts';
