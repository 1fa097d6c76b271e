export {
  eventLogConfigOf,
  eventLogVariables,
  readEventLogServiceConfig,
  resourceConfigOf,
  resourceVariables,
  type EventLogConfig,
  type ResourceConfig,
} from './resource-config.ts';
export { runServiceProcess, type ServiceDependencies } from './run-service-process.ts';
export {
  readServiceConfig,
  serviceConfigOf,
  serviceVariables,
  type ServiceConfig,
  type ServiceDefaults,
} from './service-config.ts';
export { tenantThrottle, type TenantThrottleOptions } from './tenant-throttle.ts';
