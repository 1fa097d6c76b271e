export { checkConfig } from './check-config.ts';
export type { CheckOptions, CheckedKey, ConfigCheck, Verdict } from './check-config.ts';
export { configJsonSchema } from './config-json-schema.ts';
export type { VariableSources } from './expand-variables.ts';
export type { JsonSchema } from './json-schema.ts';
export { everyMember } from './value-types/body-path.ts';
export type { BodyPath } from './value-types/body-path.ts';
export type { SocketAddress } from './value-types/socket-address.ts';
export type { ConfigFile } from './parse-yaml.ts';
export { readRouterConfig } from './read-router-config.ts';
export type { ReadRouterConfig } from './read-router-config.ts';
export type { IgnoredKeys } from './unknown-keys.ts';
export { RouterConfigError } from './router-config-error.ts';
export { differencesPage } from './reference/differences-page.ts';
export type { AppliedDifference } from './reference/differences.ts';
export { referencePage } from './reference/reference-page.ts';
export type { RouterConfig } from './router-file.ts';
export { gatewayOnlyHeaders, reservedHeaders } from './sent-headers.ts';
export type { Cors } from './sections/cors.ts';
export type {
  HeaderContextKey,
  HeaderOperation,
  InsertedHeader,
  PropagatedHeader,
} from './sections/headers.ts';
