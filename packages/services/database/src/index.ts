export type { StopSignal } from '@meridian/cancellation';
export {
  assertServiceRole,
  UnsafeServiceRole,
  dropDatabase,
  provisionDatabase,
} from './provision/provision-database.ts';
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
export { createFairQueue } from './connection/fair-queue.ts';
export type { FairQueue } from './connection/fair-queue.ts';
export { withCopy } from './copy-new-rows.ts';
export type { CopiedRows, CopyBatch, CopyNewRows } from './copy-new-rows.ts';
export type { NotificationListener } from './listen-for-notifications.ts';
export { migrateDatabase } from './migration/migrate-database.ts';
export type { MigrateDatabaseOptions } from './migration/migrate-database.ts';
export { MigrationError, MigrationHistoryError } from './migration/migration-error.ts';
export type { ProvisionDatabaseOptions, ProvisionedDatabase } from './provision/provision-database.ts';
export type { BuiltQuery } from './statement/statement.ts';
export { OutcomeUnknown, StoreTimeout, StoreUnavailable, WorkerUnavailable } from './errors/store-errors.ts';
export type { TenantTransaction } from './statement/tenant-transaction.ts';
