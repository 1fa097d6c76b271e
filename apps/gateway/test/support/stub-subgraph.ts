export type {
  Misbehaviour,
  ReceivedRequest,
  StubDefinition,
  StubSubgraph,
} from '@meridian/testing/stub-subgraph';
export { respondJson, startStubSubgraph } from '@meridian/testing/stub-subgraph';
