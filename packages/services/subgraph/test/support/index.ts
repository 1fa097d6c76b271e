export { processSuite } from './demo-app.ts';
export {
  type GraphqlBody,
  type HostedSubgraph,
  type HostOptions,
  hostSubgraph,
  type Who,
} from './host-subgraph.ts';
export { type Probe, probesOf } from './probes.ts';
export { type StartedSubgraph, type StartOptions, startSubgraph, useStarted } from './start-subgraph.ts';
