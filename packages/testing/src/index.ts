export { createTestDatabase } from './create-test-database.ts';
export type { TestDatabase, TestDatabaseOptions } from './create-test-database.ts';
export { createTestIdentity } from './create-test-identity.ts';
export type { TestIdentity } from './create-test-identity.ts';
export { listenOnLoopback } from './listen-on-loopback.ts';
export type { LoopbackServer } from './listen-on-loopback.ts';
export { runScript, startServiceProcess } from './service-process.ts';
export type { ServiceProcess } from './service-process.ts';
