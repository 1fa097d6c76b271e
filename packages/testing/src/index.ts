export { createTestDatabase } from './create-test-database.ts';
export type { TestDatabase, TestDatabaseOptions } from './create-test-database.ts';
export { listenOnLoopback } from './listen-on-loopback.ts';
export type { LoopbackServer } from './listen-on-loopback.ts';
