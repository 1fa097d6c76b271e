export { checkConfig } from './checking/check-config.ts';
export type { CheckOptions, CheckedKey, ConfigCheck, Verdict } from './checking/check-config.ts';
export type { VariableSources } from './reading/expand-variables.ts';
export type { JsonSchema } from './declaration/json-schema.ts';
export { everyMember } from './declaration/body-path.ts';
export type { BodyPath } from './declaration/body-path.ts';
export type { AttributeValue, SocketAddress } from './declaration/value-types.ts';
// The declared types of sections consist of these.
export type { Key, Section } from './declaration/key.ts';
export type { KeyType } from './declaration/key-type.ts';
export type { ConfigFile } from './reading/parse-yaml.ts';
export { RouterConfigError, readRouterConfig } from './reading/read-router-config.ts';
export type { ReadRouterConfig } from './reading/read-router-config.ts';
export type { IgnoredKeys } from './keys/unknown-keys.ts';
export type { AppliedDifference } from './checking/differences.ts';
export { generatedFiles } from './reference/differences-page.ts';
export type { RouterConfig } from './sections/router-file.ts';
export type { SigV4, TokenSourceRule } from './sections/authentication.ts';
export type { TlsClient } from './sections/tls.ts';
export { gatewayOnlyHeaders, gatewayOnlyResponseHeaders, reservedHeaders } from './sections/sent-headers.ts';
export type { PropagatedResponseHeader, ResponseHeaderRule } from './sections/response-headers.ts';
export type { CoprocessorRules, SentContext } from './sections/coprocessor.ts';
export type { CircuitRules } from './sections/circuit-breaker.ts';
export type { RetryRules } from './sections/traffic-shaping.ts';
export type { Cors } from './sections/cors.ts';
export { claimPrefix } from './sections/headers.ts';
export type {
  HeaderContextKey,
  HeaderOperation,
  InsertedHeader,
  PropagatedHeader,
} from './sections/headers.ts';
export type { OverrideLabelRule } from './sections/override-labels.ts';
export { standardAttributes } from './sections/telemetry/custom/attributes.ts';
export type { Attribute, Attributes } from './sections/telemetry/custom/attributes.ts';
export type { Condition } from './sections/telemetry/custom/conditions.ts';
export type { LogEvent } from './sections/telemetry/custom/events.ts';
export type { CustomInstrument, Instrument } from './sections/telemetry/custom/instruments.ts';
export { selectorRules } from './sections/telemetry/custom/selector-rules.ts';
export type { Scalar, SelectorName, Stage } from './sections/telemetry/custom/selector-rules.ts';
export type { Selector } from './sections/telemetry/custom/selectors.ts';
