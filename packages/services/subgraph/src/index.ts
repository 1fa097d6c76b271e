export { checkIdentifier, checkInteger, checkText } from './arguments/check-arguments.ts';
export type { SubgraphContext } from './context.ts';
export { ClientError, clientError } from './errors/client-error.ts';
export { UpstreamUnavailable } from './errors/meaning-of.ts';
export { createIdentifier, identifiersAmong, isIdentifier } from './identifiers/identifier.ts';
export { type CallerIdentity, userIdOf } from './identifiers/user-id.ts';
export {
  type GenerateConfig,
  readGenerateConfig,
  type GeneratedPart,
  runGenerator,
} from './process/run-generator.ts';
export { readSeedConfig, runSeed, type SeedBatch, type SeedConfig, seedBatches } from './process/run-seed.ts';
export type { FieldResolvers, Resolvers } from './schema/resolvers.ts';
export { SchemaError } from './schema/build-schema.ts';
export {
  createSubgraph,
  type ServedSubgraph,
  type SubgraphDefinition,
  type SubgraphHosting,
} from './server/create-subgraph.ts';
export type { SubscriptionEvent, SubscriptionEvents } from './subscriptions/subscription-event.ts';
