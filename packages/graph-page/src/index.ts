export type { GraphData, MemberData, OperationData, TypeData } from './graph-data.ts';
export { describeGraph } from './read/describe-graph.ts';
export type { GatewayFigures } from './read/gateway-figures.ts';
export { writePage } from './write-page.ts';
