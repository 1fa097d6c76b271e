export { apiSchemaOf } from './api-schema.ts';
export type {
  ComposedSupergraph,
  Composition,
  CompositionIssue,
  FailedComposition,
  SchemaLocation,
  SchemaPoint,
} from './composition.ts';
export { describeIssue } from './commands/describe-issue.ts';
export { composeContract } from './contracts/compose-contract.ts';
export { type ContractFilter, contractsFile, readContracts } from './contracts/contracts-file.ts';
export { composeSupergraph, type SubgraphSchema } from './compose-supergraph.ts';
export { readSubgraph, type SubgraphInterface } from './read-subgraph.ts';
export { type SupergraphConfig, parseSupergraphConfig } from './supergraph-config.ts';
export { loadSubgraph } from './sources/load-subgraph.ts';
export { type SchemaSource, type SubgraphSource, parseSources } from './sources/parse-sources.ts';
