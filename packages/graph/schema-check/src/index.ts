export { type TypeKind, kindOfType } from './changes/api/schema-elements.ts';
export { changeOf } from './changes/change.ts';
export { type FieldJoin, type TypeJoin, readJoins } from '@meridian/composition/sdl/joins';
export { type Graph, readGraph } from './changes/graph.ts';
export type { ReadOperation } from './changes/impact/known-operation.ts';
export { createLocator } from './changes/places/locate-changes.ts';
export { type CheckInput, checkGraphs } from './check-graphs.ts';
export type { CheckReport, ReportedChange } from './report/report.ts';
export { type Rules, defaultRules, readRules } from './rules/rules.ts';
export type { ClientUse } from './operations/client-uses.ts';
export {
  type GraphInRepository,
  type KnownGraph,
  type KnownGraphInput,
  knownGraph,
  readKnownGraph,
} from './operations/known-graph.ts';
export { usedCoordinates } from './changes/impact/known-operation.ts';
export type { GatewayLimits, GraphConfigFile } from './limits/gateway-limits.ts';
export type {
  JudgeOperations,
  OperationFigures,
  OperationJudgement,
  ReadFigures,
  Rejection,
} from './plans/figures.ts';
export { createPlanner } from './plans/plan-operations.ts';
export { type ChosenGraph, chooseGraph } from './read/other-graphs.ts';
export { workingTree } from './read/repository.ts';
export { type RecordedUsage, readUsageFile } from './read/usage-file.ts';
export type { FieldFigures } from './who/who-uses.ts';
