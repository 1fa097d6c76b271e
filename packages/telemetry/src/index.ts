export { createLogger } from './logger.ts';
export type { Logger, LoggerOptions } from './logger.ts';
export { createMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { formatTraceparent, startTrace } from './trace-context.ts';
export type { TraceContext } from './trace-context.ts';
