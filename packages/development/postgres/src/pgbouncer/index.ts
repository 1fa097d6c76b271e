export { startPgbouncer, type RunningPgbouncer, openTestRoute, type TestRoute } from './start-pgbouncer.ts';
