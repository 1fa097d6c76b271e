export { startPgbouncer, type RunningPgbouncer } from './start-pgbouncer.ts';
export { openTestRoute, type TestRoute } from './test-route.ts';
