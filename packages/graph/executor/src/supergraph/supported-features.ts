import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals';

import { connectPrefix } from './refuse-connectors.ts';

/** The features of supergraphs that this executor runs, by their URLs. */
export const supportedFeatures = new Set(
  [...ROUTER_SUPPORTED_SUPERGRAPH_FEATURES].filter((feature) => !feature.startsWith(connectPrefix)),
);
