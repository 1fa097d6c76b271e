import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals';

/**
 * Features that Apollo's planner knows and this executor does not run: connectors are not GraphQL subgraphs, and arguments
 * from a context are not filled in.
 */
const notRun = ['connect', 'context'];

/** The features of supergraphs that this executor runs, by their URLs. */
export const supportedFeatures = new Set(
  [...ROUTER_SUPPORTED_SUPERGRAPH_FEATURES].filter(
    (feature) => !notRun.some((name) => feature.startsWith(`https://specs.apollo.dev/${name}/`)),
  ),
);
