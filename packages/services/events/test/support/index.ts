export { eventLogSuite } from './event-log-suite.ts';
export { startEventLog, type StartedEventLog } from './start-event-log.ts';
