import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals';

/** A feature that Apollo's planner knows and this executor does not run: connectors are not GraphQL subgraphs. */
const notRun = 'https://specs.apollo.dev/connect/';

/** The features of supergraphs that this executor runs, by their URLs. */
export const supportedFeatures = new Set(
  [...ROUTER_SUPPORTED_SUPERGRAPH_FEATURES].filter((feature) => !feature.startsWith(notRun)),
);
