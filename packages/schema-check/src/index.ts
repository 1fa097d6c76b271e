export { type CheckInput, checkGraphs } from './check-graphs.ts';
export type { CheckReport, ReportedChange } from './report/report.ts';
export { type Rules, defaultRules, readRules } from './rules/rules.ts';
export type { ClientUse } from './operations/client-uses.ts';
export type { OperationFigures, ReadFigures } from './plans/figures.ts';
export { createPlanner } from './plans/plan-operations.ts';
export { type RecordedUsage, readUsageFile } from './read/usage-file.ts';
export { type KnownGraph, type KnownGraphInput, knownGraph, readKnownGraph } from './who/known-graph.ts';
export { usedCoordinates } from './who/used-coordinates.ts';
